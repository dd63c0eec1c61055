// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Takes numbered messages from PULL or SUB sockets and counts what is missing, came twice or came late, for each of
/// them.
///
/// Lives on the thread of its sockets. Messages with the number 0 are greetings, which only say that there is a way.
public final class StreamReceiver<Intake: StreamIntake> {
    private struct Lane {
        let intake: Intake
        var ledger = SequenceLedger()
        var isGreeted = false
        var lastOrder: UInt64 = 0
        /// Where messages have an order of their own: those that came after a later one.
        var reorders: UInt64 = 0
    }

    private var lanes: [Lane] = []
    private var poller = Poller()
    public private(set) var tally: Tally
    /// Messages that were not of this test.
    public private(set) var foreign: UInt64 = 0
    private var countsFrom: UInt64
    private let tell: (@Sendable (Int, Tally.Second) -> Void)?

    /// - Parameters:
    ///   - countsFrom: messages that were meant to be sent before this time, on ``NanoClock``, are not timed.
    ///   - tell: called at the end of each second.
    public init(countsFrom: UInt64 = .max, tell: (@Sendable (Int, Tally.Second) -> Void)? = nil) {
        self.countsFrom = countsFrom
        self.tell = tell
        tally = Tally(from: countsFrom, tell: tell)
    }

    public func add(_ intake: Intake) {
        intake.join(&poller)
        lanes.append(Lane(intake: intake))
    }

    /// One for each socket, in the order in which they were added.
    public var ledgers: [SequenceLedger] { lanes.map(\.ledger) }

    /// Messages that came against the order that they have of their own.
    public var reorders: UInt64 { lanes.reduce(0) { $0 + $1.reorders } }

    /// Takes greetings until one has come through each socket, or `isOver` says so.
    ///
    /// - Returns: whether one has.
    public func greet(until isOver: () -> Bool) throws(ZeroMQError) -> Bool {
        while lanes.contains(where: { !$0.isGreeted }) {
            if isOver() { return false }
            if try !take() { _ = try poller.wait(milliseconds: 5) }
        }
        return true
    }

    /// As in the initializer, where it is known only later.
    public func count(from time: UInt64) {
        countsFrom = time
        tally = Tally(from: time, tell: tell)
    }

    /// Takes what comes until `isOver` says so and nothing has come for `quiet` nanoseconds.
    public func run(quiet: UInt64 = 500_000_000, until isOver: () -> Bool) throws(ZeroMQError) {
        var heard = NanoClock.now
        while true {
            if try take() {
                heard = NanoClock.now
            } else {
                let now = NanoClock.now
                // Not beyond the run's end: seconds in which nothing was to come are none of it.
                if isOver() {
                    if now - heard > quiet { return tally.turn(to: heard) }
                } else {
                    tally.turn(to: now)
                }
                _ = try poller.wait(milliseconds: 10)
            }
        }
    }

    private func take() throws(ZeroMQError) -> Bool {
        var hasTaken = false
        for place in lanes.indices {
            for _ in 0..<1_024 {
                guard let arrival = try lanes[place].intake.receive() else { break }
                hasTaken = true
                take(arrival, place)
            }
        }
        return hasTaken
    }

    private func take(_ arrival: StreamArrival, _ place: Int) {
        guard let number = arrival.number else {
            foreign += 1
            return
        }
        guard number > 0 else {
            lanes[place].isGreeted = true
            return
        }
        if let order = arrival.order {
            if order < lanes[place].lastOrder { lanes[place].reorders += 1 }
            lanes[place].lastOrder = max(lanes[place].lastOrder, order)
        }
        let now = NanoClock.now
        guard lanes[place].ledger.take(number), arrival.intended >= countsFrom else { return }
        tally.record(now - min(now, arrival.intended), bytes: arrival.bytes, at: now)
    }
}
