// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Glibc

/// A file that takes its name only when all of it is there: until then it has a name of its own, which begins with this
/// one and ends with `.part`, and goes when this goes.
final class BackupDraft {
    private let name: String
    private let draft: String
    private let replaces: Bool
    private var descriptor: Int32
    private var digest = SHA256()
    private var bytes: UInt64 = 0

    /// - Throws: ``Failure`` when there is such a file and it is not to be replaced, or none can be made.
    init(_ name: String, replaces: Bool) throws {
        (self.name, self.replaces, draft) = (name, replaces, "\(name).\(UUID().uuidString).part")
        descriptor = -1
        try refuseToOverwrite()
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
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
        digest.update(data: piece)
        bytes += UInt64(piece.count)
    }

    /// Checks it, makes it durable and gives it its name.
    func finish(bytes: UInt64, sha256: Data) throws {
        guard self.bytes == bytes, Data(digest.finalize()) == sha256 else {
            throw Failure(.failed, "damaged", "The copy did not arrive as it was made: try again.")
        }
        try refuseToOverwrite()
        guard fsync(descriptor) == 0, rename(draft, name) == 0 else { throw failure() }
        close(descriptor)
        descriptor = -1
        let folder = open((name as NSString).deletingLastPathComponent.nilIfEmpty ?? ".", O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        // The file is whole; only its new name may go with the power where this fails.
        fsync(folder)
        close(folder)
    }

    private func refuseToOverwrite() throws {
        guard !replaces, access(name, F_OK) == 0 else { return }
        throw Failure(
            .failed, "exists", "There is a file \(name) already: name another one, or replace it with --force.")
    }

    private func failure() -> Failure {
        Failure(.failed, "output", "\(name) cannot be written: \(String(cString: strerror(errno))).")
    }
}
