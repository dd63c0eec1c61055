// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The record of an orderly stop. If the file has not changed since, the next start need not check the whole file,
/// which would take a second for each gigabyte or two.
extension DataDirectory {
    /// Whether the last process closed the database, and the database file has not changed since.
    package var wasLeftInOrder: Bool {
        var log = stat()
        // A database that still has a write-ahead log was not closed.
        guard stat(database + "-wal", &log) != 0 || log.st_size == 0, let now = trace() else { return false }
        return left == now
    }

    /// Records that the database is closed and that no damage was seen. Errors are ignored, because without the record
    /// the next start only checks the whole file.
    package func leaveInOrder() {
        guard let trace = trace() else { return }
        let text = Array(trace.utf8)
        guard ftruncate(lock, 0) == 0, pwrite(lock, text, text.count, 0) == text.count else { return }
        _ = fsync(lock)
    }

    /// Attributes of the database file that change with every write; nil if there is no file.
    private func trace() -> String? {
        var file = stat()
        guard stat(database, &file) == 0 else { return nil }
        return "closed \(file.st_ino) \(file.st_size) \(file.st_mtim.tv_sec) \(file.st_mtim.tv_nsec)\n"
    }
}
