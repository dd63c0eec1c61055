// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What other threads leave for a loop, and where it stands.
struct Inbox {
    enum Work {
        case job(UnownedJob)
        case body(@Sendable () -> Void)
    }

    /// What the one who adds work has to do next.
    enum Next { case nothing, wake, runLate }

    private enum Phase { case running, stopping, over, late }

    var work: [Work] = []
    /// In `zmq_poll`, or about to be: whoever adds work must wake it. One who runs on the loop never sees this.
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

    /// - Returns: whether the loop may wait; not if there is work, or if it is to stop.
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

    /// The one who gets it joins it.
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
