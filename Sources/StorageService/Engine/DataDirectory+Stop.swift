// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How the database was left. After an orderly stop, and when nobody has touched the file since, it need not be read
/// whole before the next start: that takes a second for each gigabyte or two.
extension DataDirectory {
    /// Whether the last process closed the database, and its file is the very one that it left.
    var wasLeftInOrder: Bool {
        var log = stat()
        // Whatever has a log of writes was not closed.
        guard stat(database + "-wal", &log) != 0 || log.st_size == 0, let now = trace() else { return false }
        return left == now
    }

    /// Writes down that the database is closed and sound, as far as anybody has seen. Best effort: without it the next
    /// start reads the file.
    func leaveInOrder() {
        guard let trace = trace() else { return }
        let text = Array(trace.utf8)
        guard ftruncate(lock, 0) == 0, pwrite(lock, text, text.count, 0) == text.count else { return }
        _ = fsync(lock)
    }

    /// What every writing to the file changes; nil when there is none.
    private func trace() -> String? {
        var file = stat()
        guard stat(database, &file) == 0 else { return nil }
        return "closed \(file.st_ino) \(file.st_size) \(file.st_mtim.tv_sec) \(file.st_mtim.tv_nsec)\n"
    }
}
