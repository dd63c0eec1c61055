// SPDX-License-Identifier: Apache-2.0

import Digests
import Foundation
import Glibc
import Settings

/// Where the pieces of a backup go.
protocol BackupTarget: AnyObject {
    func append(_ piece: Data) throws
    /// All pieces are there: checks them, and makes of them what was asked for.
    func finish(bytes: UInt64, sha256: Data) throws
}

/// What was received, and whether it is what was made.
struct BackupDigest {
    private var digest = SHA256()
    private(set) var bytes: UInt64 = 0

    mutating func add(_ piece: Data) {
        digest.update(piece.bytes)
        bytes += UInt64(piece.count)
    }

    func check(bytes: UInt64, sha256: Data) throws(Failure) {
        guard self.bytes == bytes, Data(digest.finalize()) == sha256 else {
            throw Failure(.failed, "damaged", "The copy did not arrive as it was made: try again.")
        }
    }
}

/// A file that takes its name only when all of it is there: until then it has a name of its own, which begins with this
/// one and ends with `.part`, and goes when this goes.
final class BackupDraft: BackupTarget {
    private let name: String
    private let draft: String
    private let replaces: Bool
    private var descriptor: Int32
    private var digest = BackupDigest()

    /// The name of a draft of `name`: another one each time.
    static func draft(of name: String) -> String { "\(name).\(UUID().uuidString).part" }

    /// - Parameter draft: of ``draft(of:)``, for whoever has to remove it when a signal ends the process.
    /// - Throws: ``Failure`` when there is such a file and it is not to be replaced, or none can be made.
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

    /// Checks it, makes it durable and gives it its name.
    func finish(bytes: UInt64, sha256: Data) throws {
        try digest.check(bytes: bytes, sha256: sha256)
        try refuseToOverwrite()
        guard fsync(descriptor) == 0, rename(draft, name) == 0 else { throw failure() }
        close(descriptor)
        descriptor = -1
        let folder = open(PathText.folder(of: name), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        // The file is whole; only its new name may go with the power where this fails.
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
            .failed, "exists", "There is a file \(name) already: name another one, or replace it with --force.")
    }

    private func failure() -> Failure {
        Failure(.failed, "output", "\(name) cannot be written: \(String(cString: strerror(errno))).")
    }
}

/// The pieces as they come, for another program: whether they are whole is known at the end.
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
