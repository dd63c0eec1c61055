// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// How the two threads of a one-way test wait for each other.
public final class StreamMeeting: Sendable {
    /// The endpoint that the sender listens on.
    let sendsTo = Told<String>()
    /// Each receiver has heard a greeting.
    let greeted = Told<Bool>()
    /// When the run begins.
    let begins = Told<UInt64>()
    /// Everything has been sent.
    let isSent = Told<Bool>()
    /// Nanoseconds that a greeting may take.
    public let patience: UInt64
    private let made = NanoClock.now
    private let failure = Atomic(false)

    public init(patience: UInt64) {
        self.patience = patience
    }

    var hasFailed: Bool { failure.load(ordering: .acquiring) }

    /// Runs both ends, each on a thread of its own.
    public func run<Sent: Sendable, Received: Sendable>(
        send: @escaping @Sendable () throws -> Sent, receive: @escaping @Sendable () throws -> Received
    ) async throws -> (sent: Sent, received: Received) {
        async let receiving = LoadThread.run { self.told(receive) }
        async let sending = LoadThread.run { self.told(send) }
        let (sent, received) = try await (sending, receiving)
        // The end that failed first knows the reason; the other one only says that it was ended.
        if case .failure(let error) = sent, error as? BusStreamError == .ended { _ = try received.get() }
        return (try sent.get(), try received.get())
    }

    /// The sending end: greets until each receiver has heard it, then runs the test.
    ///
    /// - Parameters:
    ///   - silence: thrown if no greeting comes through in time.
    ///   - greet: called again and again until then.
    ///   - run: called with the time at which the run begins.
    public func send<Sent>(
        _ stop: LoadStop, orElse silence: any Error, greet: () throws -> Void, run: (UInt64) throws -> Sent
    ) throws -> Sent {
        while greeted.now != true {
            if hasFailed || stop.isAsked { throw BusStreamError.ended }
            if NanoClock.now - made > patience { throw silence }
            try greet()
        }
        let begun = NanoClock.now + 2_000_000
        begins.tell(begun)
        let sent = try run(begun)
        isSent.tell(true)
        return sent
    }

    /// Runs one of the two. If it fails, the other one stops waiting.
    private func told<Value>(_ body: () throws -> Value) -> Result<Value, any Error> {
        let result = Result { try body() }
        if case .failure = result {
            failure.store(true, ordering: .releasing)
            sendsTo.end()
            begins.end()
        }
        return result
    }
}

/// A value that one thread sets and another one waits for.
final class Told<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    /// Signalled once: when the value is set, or will never be set.
    private let told = DispatchSemaphore(value: 0)

    var now: Value? { value.withLock { $0 } }

    func tell(_ value: Value) {
        self.value.withLock { $0 = value }
        told.signal()
    }

    /// Ends the waiting: the value will never be set.
    func end() { told.signal() }

    /// Blocks the thread until the value is set; nil if it never will be.
    func wait() -> Value? {
        told.wait()
        return now
    }
}
