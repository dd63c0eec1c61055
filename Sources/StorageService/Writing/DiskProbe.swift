// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import ServiceHost
import WaymarkTransport
import ZeroMQ

/// Finds out whether a directory can be written by writing a file. The system call `statvfs` does not know of quotas,
/// of a file system that has become read-only, or of a disk that hangs.
///
/// Each attempt writes, flushes and removes a small file on a thread of its own. Only one attempt runs at a time, and
/// its result is valid for some seconds.
final class DiskProbe: Sendable {
    private struct State {
        /// When the attempt in progress began, in milliseconds on the monotonic clock; nil if there is none.
        var begun: UInt64?
        var ended: UInt64?
        var problem: String?
    }

    /// The number of milliseconds for which a result is valid.
    private static let keep: UInt64 = 3_000
    /// The maximum time that a caller waits for an attempt.
    private static let patience = Duration.milliseconds(900)
    /// The size of the file: one block of most file systems. A smaller file might need no block of its own.
    private static let bytes = 4_096

    private let path: String
    private let state = Locked(State())
    private let ended = ChangeSignal()
    private let queue = DispatchQueue(label: "waymark-probe")

    /// - Parameter path: an existing directory.
    init(path: String) { self.path = path }

    /// Returns the problem of the disk in one sentence; nil if a file was recently written and flushed.
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
            // An attempt that began less than 500 ms ago may still succeed, so the previous result counts.
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

    /// Writes, flushes and removes the file. Returns 0, or the `errno` of the call that failed.
    private func write() -> CInt {
        let file = path + "/.health-probe"
        // A killed process may have left its file. Overwriting a file that already has its block would prove nothing.
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        defer {
            unlink(file)
            close(descriptor)
        }
        let block = [UInt8](repeating: 0x57, count: Self.bytes)
        let count = Glibc.write(descriptor, block, block.count)
        guard count == block.count else { return count < 0 ? errno : ENOSPC }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
