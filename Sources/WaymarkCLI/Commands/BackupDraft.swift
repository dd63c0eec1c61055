// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Support

/// The file into which the pieces of a backup are written. It gets its name only when it is complete. Until then its
/// name has a suffix and ends in `.part`. If a draft is released before it is complete, it deletes its file.
///
/// Without a file, the draft passes the pieces on to another program as they arrive. Only the end shows whether the
/// copy is complete.
final class BackupDraft {
    private let file: (name: String, draft: String, replaces: Bool)?
    private let sink: any ByteSink
    private var descriptor: Int32 = -1
    /// The digest of the received pieces, to compare with the digest that storage tells.
    private var digest = SHA256()
    private var bytes: UInt64 = 0

    /// Makes a name for a draft of `name`, different each time.
    static func draft(of name: String) -> String { "\(name).\(UUID().uuidString).part" }

    init(passingOnTo sink: any ByteSink) {
        file = nil
        self.sink = sink
    }

    /// - Parameter draft: a name from ``draft(of:)``, given by a caller that deletes the draft if a signal ends the
    ///   process; nil makes a name.
    /// - Throws: ``Failure`` if the file exists and must not be replaced, or if the draft cannot be created.
    init(_ name: String, replaces: Bool, as draft: String? = nil) throws {
        let draft = draft ?? BackupDraft.draft(of: name)
        try BackupDraft.refuseToOverwrite(name, replaces)
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BackupDraft.failure(name) }
        file = (name, draft, replaces)
        sink = DescriptorSink(descriptor: descriptor)
    }

    deinit {
        guard let file, descriptor >= 0 else { return }
        close(descriptor)
        unlink(file.draft)
    }

    func append(_ piece: Data) throws {
        do { try sink.write(Array(piece)) } catch {
            guard let file else { throw error }
            throw Self.failure(file.name)
        }
        digest.update(piece.bytes)
        bytes += UInt64(piece.count)
    }

    /// Verifies the copy after the last piece, makes the file durable and gives it its name.
    func finish(bytes: UInt64, sha256: Data) throws {
        guard self.bytes == bytes, Data(digest.finalize()) == sha256 else {
            throw Failure("damaged", "The copy was damaged on the way: try again.")
        }
        guard let file else { return }
        try Self.refuseToOverwrite(file.name, file.replaces)
        guard fsync(descriptor) == 0, rename(file.draft, file.name) == 0 else { throw Self.failure(file.name) }
        close(descriptor)
        descriptor = -1
        // The contents are durable already. If this call fails, a power loss might undo the renaming.
        UserFolder.syncNames(beside: file.name)
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
