// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// Marks of threads, each for as long as the thread runs something.
struct ThreadMarks<Mark: Sendable>: Sendable {
    private let marks = Locked<[Int32: Mark]>([:])

    /// The calling thread's mark.
    var current: Mark? { marks.withLock { $0[waymark_gettid()] } }

    /// Runs `body` while the calling thread has this mark. Then it has that of before again: a loop that has ended may run on
    /// another one's thread for a moment.
    func mark(_ mark: Mark, _ body: () -> Void) {
        let thread = waymark_gettid()
        let before = marks.withLock { $0.updateValue(mark, forKey: thread) }
        defer { marks.withLock { $0[thread] = before } }
        body()
    }
}

extension EventLoop {
    /// Which loop runs on which thread. A socket asks once, when it is made, and so knows the loop that has to close it.
    static let threads = ThreadMarks<EventLoop>()

    /// Ends a value that belongs to this loop, for an owner that lets go of it on any thread: at once on the loop's
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
