// SPDX-License-Identifier: Apache-2.0

import Accounts
import Glibc
import Landmarks
import WaymarkJSON
import ZeroMQ

/// A file with the position up to which a feed was printed: `{"epoch":"…","rev":4711,"run":"…"}`.
///
/// A position is recorded only after its line was printed. Therefore a reader that continues from the file may repeat
/// lines, but misses none. The file may be slightly outdated, because lines in quick succession share one write. The
/// thread that ends the process after a signal writes the file, too.
final class CursorFile: Sendable {
    private struct State {
        var position: Position?
        var isWritten = true
        var lastWriting: ContinuousClock.Instant?
    }

    /// The minimum time between two writes.
    static let pause = Duration.milliseconds(200)
    private static let mostBytes = 4_096

    let path: String
    private let state = Locked(State())

    init(path: String) {
        self.path = path
    }

    /// Returns the position in the file; nil if there is no file.
    func read() throws(Failure) -> Position? {
        if access(path, F_OK) != 0, errno == ENOENT { return nil }
        let data = try BoundedFile.read(path, upTo: Self.mostBytes).or(unusable(String(cString: strerror(errno))))
        guard let members = try? JSONReader.read([UInt8](data)),
            let epoch = members["epoch"]?.text.flatMap({ UUIDv7($0) }),
            let rev = members["rev"]?.text.flatMap({ UInt64($0) })
        else {
            throw Failure("cursor", "The cursor file \(path) holds no position: remove it to start over.")
        }
        let run = members["run"]?.text.flatMap { UUIDv7($0) }
        guard run != nil || members["run"]?.isNull ?? true else {
            throw Failure("cursor", "The cursor file \(path) holds no valid run: remove it to start over.")
        }
        return Position(epoch: epoch, rev: rev, run: run)
    }

    /// Records that every change up to and including `position` was printed.
    func advance(to position: Position) throws(Failure) {
        let isDue = state.withLock { state in
            guard state.position != position else { return false }
            state.position = position
            state.isWritten = false
            return state.lastWriting.map { ContinuousClock.now - $0 >= Self.pause } ?? true
        }
        if isDue { try flush() }
    }

    /// Writes the recorded position unless the file has it already.
    func flush() throws(Failure) {
        try state.withLock { state throws(Failure) in
            guard !state.isWritten, let position = state.position else { return }
            try write(position, isFirst: state.lastWriting == nil)
            state.isWritten = true
            state.lastWriting = .now
        }
    }

    private func write(_ position: Position, isFirst: Bool) throws(Failure) {
        let line = JSONWriter.line { $0.fields(position) }
        // SecretFile does not follow links, because in a folder of others somebody may have put a link there.
        do throws(KeyFileError) { try SecretFile.write(line, path, replacing: true) } catch {
            if case .io(_, let reason) = error { throw unusable(reason) }
            throw unusable("\(error)")
        }
        // Without this call, a power loss could remove a new file, and the feed would restart from its beginning.
        // Losing only a later write is harmless: an older position only repeats lines.
        if isFirst { UserFolder.syncNames(beside: path) }
    }

    private func unusable(_ reason: String) -> Failure {
        Failure("cursor", "The cursor file \(path) cannot be used: \(reason).")
    }
}
