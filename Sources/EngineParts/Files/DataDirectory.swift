// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The directory that holds all files of storage. It is locked against other processes while this object lives.
///
/// | file | holds |
/// |---|---|
/// | `waymark.sqlite` (`-wal`, `-shm`) | the landmarks and their history |
/// | `waymark.sqlite.new` | a restored database; the next start moves it to its place |
/// | `waymark.sqlite.before-…` | the database before a backup was restored; may be deleted |
/// | `waymark.sqlite.schema-…` | the database before its schema was upgraded; may be deleted |
/// | `.copy-….partial` | an unfinished copy; the next start removes it |
/// | `search.sqlite` (`-wal`, `-shm`) | the text search; may be deleted while storage is not running |
/// | `.health-probe` | a test of whether files can be written; the next probe removes a leftover |
/// | `lock` | the pid of the process that holds the directory; after an orderly stop a record of it |
package final class DataDirectory: Sendable {
    package let path: String
    let lock: CInt
    /// The text that the previous process last wrote to the lock file.
    let left: String

    /// How the name of an unfinished copy begins and ends.
    package static let draftPrefix = ".copy-"
    package static let draftSuffix = ".partial"

    package static let databaseName = "waymark.sqlite"

    package var database: String { "\(path)/\(Self.databaseName)" }
    package var restored: String { database + ".new" }
    package var search: String { path + "/search.sqlite" }

    /// Creates the directory if it is missing, so that only its owner can read it, and locks it.
    ///
    /// - Throws: ``EngineError/unusableDirectory(path:reason:)``, ``EngineError/locked(directory:pid:)``,
    ///   ``EngineError/noRoom(place:)``, ``EngineError/io(_:)``.
    package init(path: String) throws(EngineError) {
        if !FileManager.default.fileExists(atPath: path) {
            try Self.make(path)
            // Without this flush, a loss of power may remove the new directory with all its files. SQLite flushes the
            // directory for files that it makes. Errors are ignored, because storage can work without the flush.
            try? Self.flush(path + "/..")
        }
        let file = path + "/lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unusable(path, "used", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let pid = code == EWOULDBLOCK ? Int32(Self.text(descriptor, bytes: 16).prefix { $0.isNumber }) : nil
            close(descriptor)
            throw code == EWOULDBLOCK
                ? .locked(directory: path, pid: pid) : .io("\(file) cannot be locked: \(Self.reason(code))")
        }
        left = Self.text(descriptor, bytes: 256)
        // The pid is for people who look for the process. The lock works without it, so a full disk is no error here.
        _ = ftruncate(descriptor, 0)
        let text = Array("\(getpid())\n".utf8)
        _ = pwrite(descriptor, text, text.count, 0)
        // This flush erases the record of an orderly stop, even if the power is lost.
        _ = fsync(descriptor)
        (self.path, self.lock) = (path, descriptor)
        removeLeftovers()
    }

    /// Lets only this user read the database, because it holds password hashes. Errors are ignored, because other users
    /// cannot enter the directory anyway.
    package static func hide(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { chmod("\(path)/\(databaseName)\(suffix)", 0o600) }
    }

    /// Removes files that a killed process left behind.
    private func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix(Self.draftPrefix) && name.firstRange(of: Self.draftSuffix) != nil {
            unlink("\(path)/\(name)")
        }
    }

    deinit {
        // Release the lock, as the end of the process would do. The file stays, because if somebody removed a locked
        // file and made it again, there would be two locks. Unlock before closing, because a child process that is just
        // being started holds a copy of the descriptor for a moment.
        _ = flock(lock, LOCK_UN)
        close(lock)
    }

    /// Makes a directory and its missing parents.
    private static func make(_ path: String) throws(EngineError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex {
            try make(String(path[..<end]))
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        throw unusable(path, "made", errno)
    }

    static func unusable(_ path: String, _ tried: String, _ code: CInt) -> EngineError {
        code == ENOSPC || code == EDQUOT
            ? .noRoom(place: path) : .unusableDirectory(path: path, reason: "\(tried) (\(reason(code)))")
    }

    /// Makes an empty file that only this user may read. SQLite accepts an empty file as a new database.
    package static func makePrivate(_ file: String) throws(EngineError) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw errno == ENOSPC ? .full : .io("\(file) cannot be made: \(reason(errno))") }
        close(descriptor)
    }

    /// Flushes a file, or the names of the files in a directory, so that they survive a loss of power.
    package static func flush(_ path: String) throws(EngineError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .lastFailure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .lastFailure(path) }
    }

    /// Returns the size of a file in bytes; nil if it cannot be read.
    ///
    /// `FileManager` is not used, because its sizes are `Int` only with the whole of Foundation, which release builds
    /// leave out.
    package static func size(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(max(0, status.st_size)) : nil
    }

    /// Whether something exists at the path that is no regular file.
    package static func isNoFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    private static func text(_ descriptor: CInt, bytes: Int) -> String {
        var text = [UInt8](repeating: 0, count: bytes)
        let count = pread(descriptor, &text, bytes, 0)
        return String(decoding: text.prefix(max(0, count)), as: UTF8.self)
    }

    private static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}

extension EngineError {
    /// Returns the error for `errno` after a failed system call.
    package static func lastFailure(_ path: String) -> EngineError {
        errno == ENOSPC ? .full : .io("\(path): \(String(cString: strerror(errno)))")
    }
}
