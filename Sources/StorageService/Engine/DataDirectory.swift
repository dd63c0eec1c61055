// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The directory that holds everything storage keeps, locked against every other process while this object lives.
///
/// | file | holds |
/// |---|---|
/// | `waymark.sqlite` (`-wal`, `-shm`) | the landmarks and their history |
/// | `search.sqlite` (`-wal`, `-shm`) | the text search; may be deleted while storage is not running |
/// | `lock` | the pid of the process that has the directory |
final class DataDirectory: Sendable {
    let path: String
    private let lock: CInt

    var database: String { path + "/waymark.sqlite" }
    var search: String { path + "/search.sqlite" }

    /// Makes the directory if need be, for its owner alone, and locks it.
    ///
    /// - Throws: ``EngineError/locked(directory:pid:)``, ``EngineError/io(_:)``.
    init(path: String) throws(EngineError) {
        do {
            if !FileManager.default.fileExists(atPath: path) {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                Self.flush(directory: path + "/..")
            }
        } catch {
            throw .io("the directory \(path) cannot be made: \(error.localizedDescription)")
        }
        let file = path + "/lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .io("\(file) cannot be opened: \(Self.reason(errno))") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let pid = code == EWOULDBLOCK ? Self.readPID(descriptor) : nil
            _ = Self.close(descriptor)
            throw code == EWOULDBLOCK
                ? .locked(directory: path, pid: pid) : .io("\(file) cannot be locked: \(Self.reason(code))")
        }
        // For people who look for the process. The lock holds without it, so a full disk may keep it from being written.
        _ = ftruncate(descriptor, 0)
        let text = Array("\(getpid())\n".utf8)
        _ = pwrite(descriptor, text, text.count, 0)
        self.path = path
        self.lock = descriptor
    }

    deinit {
        // Ends the lock, as the end of the process would. The file stays: a lock on a file that somebody removes and
        // makes anew is two locks. It is given back before the descriptor is closed: a child that is just being started
        // holds a copy of the descriptor for a moment.
        _ = flock(lock, LOCK_UN)
        _ = Self.close(lock)
    }

    private static func close(_ descriptor: CInt) -> CInt {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// Best effort: without it the new directory itself may go with the power, and everything in it. SQLite does the
    /// same for the files that it makes.
    private static func flush(directory: String) {
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }

    private static func readPID(_ descriptor: CInt) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).filter(\.isNumber))
    }

    private static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
