// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// Values attached to threads. A value stays attached while the thread runs a closure.
struct ThreadMarks<Mark: Sendable>: Sendable {
    private let marks = Locked<[Int32: Mark]>([:])

    /// The calling thread's mark; `nil` if it has none.
    var current: Mark? { marks.withLock { $0[waymark_gettid()] } }

    /// Runs `body` with this mark attached to the calling thread, then restores the thread's previous mark, because an
    /// ended event loop may run on another event loop's thread for a moment.
    func mark(_ mark: Mark, _ body: () -> Void) {
        let thread = waymark_gettid()
        let before = marks.withLock { $0.updateValue(mark, forKey: thread) }
        defer { marks.withLock { $0[thread] = before } }
        body()
    }
}

extension EventLoop {
    /// The event loop that runs on each thread. A socket looks it up when it is made, to know which has to close it.
    static let threads = ThreadMarks<EventLoop>()

    /// Runs `body`, which ends a value of this event loop, although the value's owner may have been released on any
    /// thread. On the event loop's own thread `body` runs at once; otherwise the event loop runs it in its next turn.
    ///
    /// `nonisolated(unsafe)`: the caller was the last owner outside of the event loop, and does not touch the value
    /// again. The inbox's lock is the fence between the two threads.
    func end<Value: AnyObject>(_ value: Value, _ body: @escaping @Sendable (Value) -> Void) {
        if isCurrent { return body(value) }
        nonisolated(unsafe) let value = value
        submit { body(value) }
    }
}
