// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The work that other threads queue for an event loop, and the phase of the event loop's life.
struct Inbox {
    enum Work {
        case job(UnownedJob)
        case body(@Sendable () -> Void)
    }

    /// The next step for the caller of ``add(_:)``.
    enum Next { case nothing, wake, runLate }

    private enum Phase { case running, stopping, over, late }

    var work: [Work] = []
    /// Whether the event loop is in `poll` or about to call it, so that a thread that adds work must wake it. Code
    /// that runs on the event loop's own thread never sees `true`.
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

    /// Records that the event loop is about to wait.
    ///
    /// - Returns: `false` if the event loop must not wait, because there is work or because it is to stop.
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

    /// Returns the event loop's thread to the first caller, which has to join it; `nil` to later callers.
    mutating func takeThread() -> pthread_t? {
        defer { thread = nil }
        return thread
    }

    mutating func end() -> [CheckedContinuation<Void, Never>] {
        phase = .over
        defer { waiting = [] }
        return waiting
    }

    mutating func wakeIfAsleep() -> Bool {
        defer { isAsleep = false }
        return isAsleep
    }
}
