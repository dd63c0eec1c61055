// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// What the two threads of a test one way tell each other.
final class StreamMeeting: Sendable {
    /// Where the sender listens.
    let sendsTo = Told<String>()
    /// Each receiver has heard a greeting.
    let greeted = Told<Bool>()
    /// When the run begins.
    let begins = Told<UInt64>()
    /// Everything has been sent.
    let isSent = Told<Bool>()
    let patience: UInt64
    private let made = NanoClock.now
    private let failure = Atomic(false)

    init(patience: UInt64) {
        self.patience = patience
    }

    var isGreeted: Bool { greeted.now == true }
    var isLate: Bool { hasFailed || NanoClock.now - made > patience }
    var hasFailed: Bool { failure.load(ordering: .acquiring) }

    /// Runs one of the two; when it fails the other one does not wait for it.
    func told<Value>(_ body: () throws -> Value) throws -> Value {
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
final class Told<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    /// Signalled once, when it is told or never will be.
    private let told = DispatchSemaphore(value: 0)

    var now: Value? { value.withLock { $0 } }

    func tell(_ value: Value) {
        self.value.withLock { $0 = value }
        told.signal()
    }

    /// Nobody will tell it any more.
    func end() { told.signal() }

    /// Blocks the thread. Nil: nobody tells it.
    func wait() -> Value? {
        told.wait()
        return now
    }
}
