// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// Which loop runs on which thread. A socket asks once, when it is made, and so knows the loop that has to close it.
enum LoopThreads {
    private static let loops = Locked<[Int32: EventLoop]>([:])

    /// The loop that runs on the calling thread, if one does.
    static var current: EventLoop? { loops.withLock { $0[waymark_gettid()] } }

    /// Runs `body` as this loop's. A loop that has ended may run on another one's thread for a moment, so the entry from
    /// before is put back.
    static func run(as loop: EventLoop, _ body: () -> Void) {
        let thread = waymark_gettid()
        let before = loops.withLock { $0.updateValue(loop, forKey: thread) }
        defer { loops.withLock { $0[thread] = before } }
        body()
    }
}

extension EventLoop {
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
