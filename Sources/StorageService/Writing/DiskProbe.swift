// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EngineParts
import Glibc
import ServiceHost
import WaymarkTransport
import ZeroMQ

/// Finds out whether a directory is writable by writing to it: `statvfs` knows nothing of quotas, of a file system that
/// became read-only, or of a disk that hangs.
///
/// Each attempt writes, flushes and removes a small file on a thread of its own. There is one attempt at a time, and
/// its result is kept for some seconds.
final class DiskProbe: Sendable {
    private struct State {
        /// The start of the attempt in progress, in milliseconds on the monotonic clock.
        var begun: UInt64?
        var ended: UInt64?
        var problem: String?
    }

    /// Milliseconds for which a result is kept.
    private static let keep: UInt64 = 3_000
    /// The time that a caller waits for an attempt.
    private static let patience = Duration.milliseconds(900)
    /// The size of the file: a page of most file systems. A smaller file may need no room of its own.
    private static let bytes = 4_096

    private let path: String
    private let state = Locked(State())
    private let ended = ChangeSignal()
    private let queue = DispatchQueue(label: "waymark-probe")

    /// - Parameter path: an existing directory.
    init(path: String) { self.path = path }

    /// The problem, in one sentence; nil if a file was written and flushed recently.
    func problem() async -> String? {
        let mustWait = state.withLock { state -> Bool in
            if state.begun != nil { return true }
            if let ended = state.ended, Monotonic.milliseconds - ended < Self.keep { return false }
            state.begun = Monotonic.milliseconds
            queue.async { [self] in attempt() }
            return true
        }
        if mustWait { await ended.wait(atMost: Self.patience) { state.withLock { $0.begun == nil } } }
        return state.withLock { state in
            guard let begun = state.begun else { return state.problem }
            let milliseconds = Monotonic.milliseconds - begun
            // A younger attempt may still succeed: the last result counts.
            guard milliseconds >= 500 else { return state.problem }
            return "The disk that holds \(path) has not taken a test file for \(milliseconds) ms: check the disk."
        }
    }

    private func attempt() {
        let code = write()
        let problem: String? =
            switch code {
            case 0: nil
            case ENOSPC, EDQUOT: "The disk that holds \(path) is full: make room."
            default: "\(path) cannot be written (\(String(cString: strerror(code)))): check the disk."
            }
        state.withLock { ($0.begun, $0.ended, $0.problem) = (nil, Monotonic.milliseconds, problem) }
        ended.send()
    }

    /// - Returns: 0, or the `errno` of the call that failed.
    private func write() -> CInt {
        let file = path + "/.health-probe"
        // A killed process may have left its file. Writing to a file that already has its room would prove nothing.
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        defer {
            unlink(file)
            DataDirectory.close(descriptor)
        }
        let block = [UInt8](repeating: 0x57, count: Self.bytes)
        let count = Glibc.write(descriptor, block, block.count)
        guard count == block.count else { return count < 0 ? errno : ENOSPC }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
