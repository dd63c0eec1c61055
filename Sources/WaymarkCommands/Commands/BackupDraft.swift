// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Settings
import Support

/// The destination of a backup's pieces.
protocol BackupTarget: AnyObject {
    func append(_ piece: Data) throws
    /// Called after the last piece: verifies the copy and completes the destination.
    func finish(bytes: UInt64, sha256: Data) throws
}

/// The digest of the received pieces, to compare with the one that storage computed.
struct BackupDigest {
    private var digest = SHA256()
    private(set) var bytes: UInt64 = 0

    mutating func add(_ piece: Data) {
        digest.update(piece.bytes)
        bytes += UInt64(piece.count)
    }

    func check(bytes: UInt64, sha256: Data) throws(Failure) {
        guard self.bytes == bytes, Data(digest.finalize()) == sha256 else {
            throw Failure(.failed, "damaged", "The copy was damaged on the way: try again.")
        }
    }
}

/// A file that gets its name only when it is complete. Until then its name has a suffix and ends in `.part`. If the
/// draft is released before that, its file is deleted.
final class BackupDraft: BackupTarget {
    private let name: String
    private let draft: String
    private let replaces: Bool
    private var descriptor: Int32
    private var digest = BackupDigest()

    /// A name for a draft of `name`, different each time.
    static func draft(of name: String) -> String { "\(name).\(UUID().uuidString).part" }

    /// - Parameter draft: a name from ``draft(of:)``, for a caller that deletes the draft when a signal ends the
    ///   process.
    /// - Throws: ``Failure`` if the file exists and must not be replaced, or the draft cannot be created.
    init(_ name: String, replaces: Bool, as draft: String? = nil) throws {
        (self.name, self.replaces, self.draft) = (name, replaces, draft ?? Self.draft(of: name))
        descriptor = -1
        try refuseToOverwrite()
        descriptor = open(self.draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(draft)
    }

    func append(_ piece: Data) throws {
        do {
            try DescriptorSink(descriptor: descriptor).write(Array(piece))
        } catch {
            throw failure()
        }
        digest.add(piece)
    }

    /// Verifies the copy, makes it durable and gives it its name.
    func finish(bytes: UInt64, sha256: Data) throws {
        try digest.check(bytes: bytes, sha256: sha256)
        try refuseToOverwrite()
        guard fsync(descriptor) == 0, rename(draft, name) == 0 else { throw failure() }
        close(descriptor)
        descriptor = -1
        let folder = open(PathText.folder(of: name), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        // The contents are durable already. If this fails, only the new name might be lost with the power.
        fsync(folder)
        close(folder)
    }

    private func refuseToOverwrite() throws {
        var status = stat()
        guard stat(name, &status) == 0 else { return }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw Failure(.failed, "output", "\(name) is a folder: name a file in it.")
        }
        guard !replaces else { return }
        throw Failure(
            .failed, "exists", "The file \(name) exists: name another one, or replace it with --force.")
    }

    private func failure() -> Failure {
        Failure(.failed, "output", "\(name) cannot be written: \(String(cString: strerror(errno))).")
    }
}

/// Passes the pieces on as they arrive, for another program. Only the end shows whether the copy is complete.
final class BackupStream: BackupTarget {
    private let sink: any ByteSink
    private var digest = BackupDigest()

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    func append(_ piece: Data) throws {
        try sink.write(Array(piece))
        digest.add(piece)
    }

    func finish(bytes: UInt64, sha256: Data) throws { try digest.check(bytes: bytes, sha256: sha256) }
}
