// SPDX-License-Identifier: Apache-2.0

import Synchronization
import ZeroMQ

/// Asks a run to end early. The run still waits for the operations that are in flight.
public final class LoadStop: Sendable {
    private let asked = Atomic(false)
    private let why = Mutex<String?>(nil)

    public init() {}
    public var isAsked: Bool { asked.load(ordering: .relaxed) }

    /// The sentence about the rule that ended the run; nil if none did.
    public var reason: String? { why.withLock { $0 } }

    public func ask(because reason: String? = nil) {
        why.withLock { $0 = $0 ?? reason }
        asked.store(true, ordering: .relaxed)
    }
}

/// Callbacks from a running test, which must return at once on the generator's thread, and the means to end it early.
public struct LoadWatch: Sendable {
    public var stop: LoadStop
    /// Called at the end of each counted second with the number of the second, from 1, and its figures.
    public var tell: (@Sendable (Int, Tally.Second) -> Void)?
    /// The limits that end the run early; nil if there are none.
    public var abort: AbortRule?
    /// Called when the warm-up has ended.
    public var countingBegins: @Sendable () -> Void

    public init(
        stop: LoadStop = LoadStop(), tell: (@Sendable (Int, Tally.Second) -> Void)? = nil,
        countingBegins: @escaping @Sendable () -> Void = {}
    ) {
        (self.stop, self.tell, self.countingBegins) = (stop, tell, countingBegins)
    }
}

/// Runs code that blocks or spins on a thread of its own, because Swift's concurrency pool has no thread to spare.
public enum LoadThread {
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            startDetachedThread("waymark-load") { continuation.resume(with: Result { try body() }) }
        }
    }
}
