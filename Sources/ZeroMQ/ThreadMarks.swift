// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// Values attached to threads, each for as long as the thread runs a closure.
struct ThreadMarks<Mark: Sendable>: Sendable {
    private let marks = Locked<[Int32: Mark]>([:])

    /// The calling thread's mark.
    var current: Mark? { marks.withLock { $0[waymark_gettid()] } }

    /// Runs `body` while the calling thread has this mark, then restores its previous mark: an ended loop may run on
    /// another loop's thread for a moment.
    func mark(_ mark: Mark, _ body: () -> Void) {
        let thread = waymark_gettid()
        let before = marks.withLock { $0.updateValue(mark, forKey: thread) }
        defer { marks.withLock { $0[thread] = before } }
        body()
    }
}

extension EventLoop {
    /// The loop that runs on each thread. A socket asks once, when it is made, and so knows the loop that has to close
    /// it.
    static let threads = ThreadMarks<EventLoop>()

    /// Runs `body`, which ends a loop's value, for an owner that may be released on any thread: at once on the loop's
    /// thread, from another one in the loop's next turn.
    ///
    /// `nonisolated(unsafe)`: the caller was the last owner outside the loop and does not touch the value again. The
    /// inbox's lock is the fence between its thread and the loop's.
    func end<Value: AnyObject>(_ value: Value, _ body: @escaping @Sendable (Value) -> Void) {
        if isCurrent { return body(value) }
        nonisolated(unsafe) let value = value
        submit { body(value) }
    }
}
