// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The work that other threads queue for a loop, and the state of the loop.
struct Inbox {
    enum Work {
        case job(UnownedJob)
        case body(@Sendable () -> Void)
    }

    /// The next step for the caller of ``add(_:)``.
    enum Next { case nothing, wake, runLate }

    private enum Phase { case running, stopping, over, late }

    var work: [Work] = []
    /// Whether the loop is in `zmq_poll` or about to call it, so that a thread that adds work must wake it. Code that
    /// runs on the loop never sees `true`.
    var isAsleep = false
    var thread: pthread_t?
    private var phase = Phase.running
    private var waiting: [CheckedContinuation<Void, Never>] = []

    var isStopping: Bool { phase != .running }

    mutating func add(_ item: Work) -> Next {
        work.append(item)
        if phase == .over {
            phase = .late
            return .runLate
        }
        return wakeIfAsleep() ? .wake : .nothing
    }

    /// - Returns: whether the loop may wait: `false` if there is work, or if the loop is to stop.
    mutating func fallAsleep() -> Bool {
        isAsleep = work.isEmpty && phase == .running
        return isAsleep
    }

    mutating func stop(_ continuation: CheckedContinuation<Void, Never>) -> (isOver: Bool, mustWake: Bool) {
        if phase == .over || phase == .late { return (true, false) }
        phase = .stopping
        waiting.append(continuation)
        return (false, wakeIfAsleep())
    }

    /// The loop's thread for the first caller, which has to join it; `nil` for later callers.
    mutating func takeThread() -> pthread_t? {
        defer { thread = nil }
        return thread
    }

    mutating func end() -> [CheckedContinuation<Void, Never>] {
        phase = .over
        defer { waiting = [] }
        return waiting
    }

    private mutating func wakeIfAsleep() -> Bool {
        defer { isAsleep = false }
        return isAsleep
    }
}
