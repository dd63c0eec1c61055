// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// What the two threads of a test one way tell each other.
public final class StreamMeeting: Sendable {
    /// Where the sender listens.
    public let sendsTo = Told<String>()
    /// Each receiver has heard a greeting.
    public let greeted = Told<Bool>()
    /// When the run begins.
    public let begins = Told<UInt64>()
    /// Everything has been sent.
    public let isSent = Told<Bool>()
    /// Nanoseconds that a greeting may take.
    public let patience: UInt64
    private let made = NanoClock.now
    private let failure = Atomic(false)

    public init(patience: UInt64) {
        self.patience = patience
    }

    public var isGreeted: Bool { greeted.now == true }
    public var isLate: Bool { hasFailed || NanoClock.now - made > patience }
    public var hasFailed: Bool { failure.load(ordering: .acquiring) }

    /// Runs one of the two; when it fails the other one does not wait for it.
    public func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            failure.store(true, ordering: .releasing)
            sendsTo.end()
            begins.end()
            throw error
        }
    }
}

/// A value that one thread tells and another one waits for.
public final class Told<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    /// Signalled once, when it is told or never will be.
    private let told = DispatchSemaphore(value: 0)

    public init() {}

    public var now: Value? { value.withLock { $0 } }

    public func tell(_ value: Value) {
        self.value.withLock { $0 = value }
        told.signal()
    }

    /// Nobody will tell it any more.
    public func end() { told.signal() }

    /// Blocks the thread. Nil: nobody tells it.
    public func wait() -> Value? {
        told.wait()
        return now
    }
}
