// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import WaymarkTransport
import ZeroMQ

/// Finds out whether a directory can be written, by writing: what `statvfs` tells of free room knows nothing of quotas,
/// of a file system that went read-only, and of a disk that hangs.
///
/// A small file is written, flushed and removed, on a thread of its own. One attempt at a time, and what it found is
/// kept for some seconds.
final class DiskProbe: Sendable {
    private struct State {
        /// When the attempt that is under way began, on the monotonic clock.
        var begun: UInt64?
        var ended: UInt64?
        var problem: String?
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    /// Milliseconds for which an answer is kept.
    private static let keep: UInt64 = 3_000
    /// How long somebody who asks waits for an attempt.
    private static let patience = DispatchTimeInterval.milliseconds(900)
    /// A page of most file systems: less may be kept where no room is needed for it.
    private static let bytes = 4_096

    private let path: String
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "waymark-probe")

    /// - Parameter path: an existing directory.
    init(path: String) {
        self.path = path
        state = Locked(State())
    }

    /// What is wrong, in one sentence; nil when a file was written and flushed lately.
    func problem() async -> String? {
        let mustWait = state.withLock { state -> Bool in
            if state.begun != nil { return true }
            if let ended = state.ended, Monotonic.milliseconds - ended < Self.keep { return false }
            state.begun = Monotonic.milliseconds
            queue.async { [self] in attempt() }
            return true
        }
        if mustWait { await wait() }
        return state.withLock { state in
            guard let begun = state.begun else { return state.problem }
            let milliseconds = Monotonic.milliseconds - begun
            // Another attempt than the one that was waited for may have begun this moment.
            guard milliseconds >= 500 else { return state.problem }
            return "The disk that holds \(path) has not taken a small file for \(milliseconds) ms: see to it."
        }
    }

    private func wait() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let number: UInt64? = state.withLock { state in
                guard state.begun != nil else { return nil }
                state.lastWaiter += 1
                state.waiting[state.lastWaiter] = continuation
                return state.lastWaiter
            }
            guard let number else {
                continuation.resume()
                return
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [self] in
                state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
            }
        }
    }

    private func attempt() {
        let code = write()
        let problem: String? =
            switch code {
            case 0: nil
            case ENOSPC, EDQUOT: "The disk that holds \(path) is full: make room."
            default: "\(path) cannot be written (\(String(cString: strerror(code)))): see to the disk."
            }
        let waiting = state.withLock { state in
            defer { state.waiting.removeAll() }
            (state.begun, state.ended, state.problem) = (nil, Monotonic.milliseconds, problem)
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// - Returns: 0, or what `errno` said of the call that failed.
    private func write() -> CInt {
        let file = path + "/.health-probe"
        // What a process that was killed has left; a file that has its room already would prove nothing.
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
