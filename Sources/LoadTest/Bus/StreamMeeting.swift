// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Synchronises the two threads of a one-way test.
public final class StreamMeeting: Sendable {
    /// The endpoint that the sender listens on.
    let sendsTo = Told<String>()
    /// Set when each receiver has received a greeting.
    let greeted = Told<Bool>()
    /// The time at which the run begins.
    let begins = Told<UInt64>()
    /// Set when everything has been sent.
    let isSent = Told<Bool>()
    /// The time limit of a greeting in nanoseconds.
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
        // The end that failed first knows the reason; the other only reports that it was ended.
        if case .failure(let error) = sent, error as? BusStreamError == .ended { _ = try received.get() }
        return (try sent.get(), try received.get())
    }

    /// Runs the sending end: greets until each receiver has received a greeting, then runs the test.
    ///
    /// - Parameters:
    ///   - silence: the error if no greeting comes through in time.
    ///   - greet: called repeatedly until then.
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

    /// Runs one of the two ends. If it fails, the other stops waiting.
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

/// A value that one thread sets and another waits for.
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
