// SPDX-License-Identifier: Apache-2.0

import EngineParts
public import Monitoring
public import ServiceHost
import StorageOnSQLite

extension StorageServer: MonitoredServer {
    public func turn() {}

    public nonisolated func metrics() async -> [MetricFamily]? {
        guard let own = await families() else { return nil }
        // Sizes are read outside the event loop, because the disk may be slow.
        let files = options.directory.map { StorageMetrics.files.families(of: $0) }
        return own + (files ?? [])
    }

    /// Returns the metrics of the running components; nil if storage does not run.
    private func families() -> [MetricFamily]? { running.map { StorageMetrics.table.families(of: $0) } }
}

extension StorageMetrics {
    /// The sizes of the files in a data directory, and the free bytes of its file system if they are known.
    static let files: [Metric<String>] = [
        .measure(
            "waymark_storage_database_bytes", { bytes(of: "waymark.sqlite", in: $0) },
            help: "The size of the database's file."),
        .measure(
            "waymark_storage_wal_bytes", { bytes(of: "waymark.sqlite-wal", in: $0) },
            help: "The size of the database's write-ahead log."),
        .measure(
            "waymark_storage_search_bytes",
            { bytes(of: "search.sqlite", in: $0) + bytes(of: "search.sqlite-wal", in: $0) },
            help: "The size of the text search's file and its write-ahead log."),
        .measure(
            "waymark_storage_disk_free_bytes", { directory in DiskRoom.left(at: directory).map { Double($0) } },
            help: "Free space for this user on the file system of the data directory."),
    ]

    /// Returns the size of a file that ``DataDirectory`` lists; zero if the file does not exist.
    private static func bytes(of name: String, in directory: String) -> Double {
        Double(DataDirectory.size(of: "\(directory)/\(name)") ?? 0)
    }
}
