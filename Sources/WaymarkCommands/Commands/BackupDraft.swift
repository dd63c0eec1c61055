// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Support

/// The destination of a backup's pieces. This class passes them on to another program as they arrive: only the end
/// shows whether the copy is complete.
class BackupTarget {
    private let sink: any ByteSink
    /// The digest of the received pieces, to compare with storage's.
    private var digest = SHA256()
    private var bytes: UInt64 = 0

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    func append(_ piece: Data) throws {
        try sink.write(Array(piece))
        digest.update(piece.bytes)
        bytes += UInt64(piece.count)
    }

    /// Verifies the copy after the last piece, and completes the destination.
    func finish(bytes: UInt64, sha256: Data) throws {
        guard self.bytes == bytes, Data(digest.finalize()) == sha256 else {
            throw Failure("damaged", "The copy was damaged on the way: try again.")
        }
    }
}

/// A file that gets its name only when it is complete. Until then its name has a suffix and ends in `.part`. A draft
/// that is released earlier deletes its file.
final class BackupDraft: BackupTarget {
    private let name: String
    private let draft: String
    private let replaces: Bool
    private var descriptor: Int32

    /// A name for a draft of `name`, different each time.
    static func draft(of name: String) -> String { "\(name).\(UUID().uuidString).part" }

    /// - Parameter draft: a name from ``draft(of:)``, for a caller that deletes the draft when a signal ends the
    ///   process.
    /// - Throws: ``Failure`` if the file exists and must not be replaced, or the draft cannot be created.
    init(_ name: String, replaces: Bool, as draft: String? = nil) throws {
        (self.name, self.replaces, self.draft) = (name, replaces, draft ?? BackupDraft.draft(of: name))
        try BackupDraft.refuseToOverwrite(name, replaces)
        descriptor = open(self.draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BackupDraft.failure(name) }
        super.init(DescriptorSink(descriptor: descriptor))
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(draft)
    }

    override func append(_ piece: Data) throws {
        do { try super.append(piece) } catch { throw Self.failure(name) }
    }

    /// Verifies the copy, makes it durable and gives it its name.
    override func finish(bytes: UInt64, sha256: Data) throws {
        try super.finish(bytes: bytes, sha256: sha256)
        try Self.refuseToOverwrite(name, replaces)
        guard fsync(descriptor) == 0, rename(draft, name) == 0 else { throw Self.failure(name) }
        close(descriptor)
        descriptor = -1
        // The contents are durable already. If this fails, a power loss might lose the new name.
        UserFolder.syncNames(beside: name)
    }

    private static func refuseToOverwrite(_ name: String, _ replaces: Bool) throws {
        var status = stat()
        guard stat(name, &status) == 0 else { return }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw Failure("output", "\(name) is a folder: name a file in it.")
        }
        guard !replaces else { return }
        throw Failure("exists", "The file \(name) exists: name another one, or replace it with --force.")
    }

    private static func failure(_ name: String) -> Failure {
        Failure("output", "\(name) cannot be written: \(String(cString: strerror(errno))).")
    }
}
