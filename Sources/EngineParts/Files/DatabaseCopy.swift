// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Landmarks
import Support

/// Makes complete copies of a database while others read and write it. A copy has the state of one revision.
package protocol DatabaseCopying: Sendable {
    /// - Throws: ``EngineError/full`` if there is no room for the copy or the disk is full; ``EngineError/closed``.
    func copy() async throws(EngineError) -> DatabaseCopy
    /// Interrupts a copy in progress.
    func close()
}

/// A complete copy of the database in a file without a name. The file is deleted when this object or the process ends.
package final class DatabaseCopy: Sendable {
    package let bytes: UInt64
    package let sha256: Data
    /// The position of the copied database.
    package let position: Position
    private let descriptor: CInt

    private static let pieceBytes = 1024 * 1024

    /// Reads the whole file at `path`, then removes its name from the directory.
    ///
    /// - Throws: ``EngineError/io(_:)`` if the file cannot be read.
    package init(path: String, position: Position) throws(EngineError) {
        self.position = position
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let opened = errno
        unlink(path)
        guard descriptor >= 0 else { throw .io("the copy cannot be opened: \(String(cString: strerror(opened)))") }
        var digest = SHA256()
        var count: UInt64 = 0
        do throws(EngineError) {
            while true {
                let piece = try Self.read(descriptor, at: count, count: Self.pieceBytes)
                if piece.isEmpty { break }
                digest.update(piece.bytes)
                count += UInt64(piece.count)
            }
        } catch {
            close(descriptor)
            throw error
        }
        bytes = count
        sha256 = Data(digest.finalize())
    }

    deinit { close(descriptor) }

    /// Returns up to `count` bytes from `offset` on; empty after the end of the file.
    package func read(at offset: UInt64, count: Int) throws(EngineError) -> Data {
        guard offset < bytes else { return Data() }
        return try Self.read(descriptor, at: offset, count: count)
    }

    private static func read(_ descriptor: CInt, at offset: UInt64, count: Int) throws(EngineError) -> Data {
        var piece = Data(count: count)
        var done = 0
        while done < count {
            let got = piece.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset) + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .io("the copy cannot be read: \(String(cString: strerror(errno)))") }
            if got == 0 { break }
            done += got
        }
        return piece.prefix(done)
    }
}
