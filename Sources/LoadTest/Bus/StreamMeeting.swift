// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Synchronises the sender's thread and the receivers' thread of a one-way test.
public final class StreamMeeting: Sendable {
    struct State: Sendable {
        /// The endpoint at which the sender listens.
        var sendsTo: String?
        var isGreeted = false
        var begins: UInt64?
        var isSent = false
        var hasFailed = false
    }

    /// The time within which a greeting must arrive, in nanoseconds.
    public let patience: UInt64
    private let made = NanoClock.now
    private let state = Mutex(State())

    public init(patience: UInt64) { self.patience = patience }
    var now: State { state.withLock { $0 } }
    func tell(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Blocks the thread until the other one has told a value, and returns it; nil if that one has failed.
    func wait<Value>(for value: (State) -> Value?) -> Value? {
        while case let told = now, !told.hasFailed {
            if let value = value(told) { return value }
            NanoClock.sleep(100_000)
        }
        return nil
    }

    /// Runs the sender and the receivers, each on a thread of its own.
    public func run<Sent: Sendable, Received: Sendable>(
        send: @escaping @Sendable () throws -> Sent, receive: @escaping @Sendable () throws -> Received
    ) async throws -> (sent: Sent, received: Received) {
        async let receiving = LoadThread.run { self.told(receive) }
        async let sending = LoadThread.run { self.told(send) }
        let (sent, received) = try await (sending, receiving)
        // The thread that failed first knows the reason. The other thread only reports that it was ended.
        if case .failure(let error) = sent, error as? BusStreamError == .ended { _ = try received.get() }
        return (try sent.get(), try received.get())
    }

    /// Runs the sender: sends greetings until each receiver has received one, then runs the test.
    ///
    /// - Parameters:
    ///   - silence: the error to throw if no greeting arrives in time.
    ///   - greet: sends one greeting; called repeatedly. Without it, others send them.
    ///   - run: called with the time at which the run begins.
    public func send<Sent>(
        _ stop: LoadStop, orElse silence: any Error, greet: () throws -> Void = { NanoClock.sleep(1_000_000) },
        run: (UInt64) throws -> Sent
    ) throws -> Sent {
        while case let told = now, !told.isGreeted {
            if told.hasFailed || stop.isAsked { throw BusStreamError.ended }
            if NanoClock.now - made > patience { throw silence }
            try greet()
        }
        let begun = NanoClock.now + 2_000_000
        tell { $0.begins = begun }
        let sent = try run(begun)
        tell { $0.isSent = true }
        return sent
    }

    /// Runs one of the two threads. If it fails, the other thread stops waiting.
    private func told<Value>(_ body: () throws -> Value) -> Result<Value, any Error> {
        let result = Result { try body() }
        if case .failure = result { tell { $0.hasFailed = true } }
        return result
    }
}

/// The reason why a one-way test could not begin.
public enum BusStreamError: Error, Hashable, CustomStringConvertible {
    /// No message arrived within this many nanoseconds; perhaps because the high-water mark is less than the topics.
    case noWay(UInt64, isCrowded: Bool)
    /// The sender or receiver on the other thread has failed.
    case ended

    public var description: String {
        switch self {
        case .noWay(let time, true):
            "Not all topics had a message within \(time / 1_000_000_000) s, because a queue holds fewer messages than "
                + "there are topics: give a greater --hwm (without --rate a greater --window), or fewer --topics."
        case .noWay(let time, false):
            "No message came through within \(time / 1_000_000_000) s: check that a proxy or a broker forwards from "
                + "one endpoint to the other."
        case .ended: "The other end of the test has failed."
        }
    }
}
