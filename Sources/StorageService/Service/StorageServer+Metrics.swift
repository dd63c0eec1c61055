// SPDX-License-Identifier: Apache-2.0

import EngineParts
public import Monitoring
public import ServiceHost
import StorageOnSQLite

extension StorageServer: MonitoredServer {
    public func turn() {}

    public nonisolated func metrics() async -> [MetricFamily]? {
        guard let own = await families() else { return nil }
        // Sizes are read away from the loop: the disk may be slow.
        let files = options.directory.map { StorageMetrics.files.families(of: StorageFiles($0)) }
        return own + (files ?? [])
    }

    /// The metrics of the running components; nil while storage does not run.
    private func families() -> [MetricFamily]? { running.map { StorageMetrics.table.families(of: $0) } }
}

/// Sizes in bytes of the files that ``DataDirectory`` lists; zero for a missing one.
struct StorageFiles {
    let database: Double
    let log: Double
    let search: Double
    /// Free bytes of the file system; nil if it cannot tell.
    let free: Double?

    init(_ directory: String) {
        let size = { (name: String) in Double(DataDirectory.size(of: "\(directory)/\(name)") ?? 0) }
        (database, log) = (size("waymark.sqlite"), size("waymark.sqlite-wal"))
        search = size("search.sqlite") + size("search.sqlite-wal")
        free = DiskRoom.left(at: directory).map { Double($0) }
    }
}
