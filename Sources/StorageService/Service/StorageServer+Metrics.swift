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
        let files = options.directory.map { StorageMetrics.files.families(of: StorageFiles($0)) }
        return own + (files ?? [])
    }

    /// Returns the metrics of the running components; nil if storage does not run.
    private func families() -> [MetricFamily]? { running.map { StorageMetrics.table.families(of: $0) } }
}

/// The sizes in bytes of the files that ``DataDirectory`` lists; zero if a file does not exist.
struct StorageFiles {
    let database: Double
    let log: Double
    let search: Double
    /// The free bytes of the file system; nil if they are unknown.
    let free: Double?

    init(_ directory: String) {
        let size = { (name: String) in Double(DataDirectory.size(of: "\(directory)/\(name)") ?? 0) }
        (database, log) = (size("waymark.sqlite"), size("waymark.sqlite-wal"))
        search = size("search.sqlite") + size("search.sqlite-wal")
        free = DiskRoom.left(at: directory).map { Double($0) }
    }
}
