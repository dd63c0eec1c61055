// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Receives numbered messages from sockets, and counts for each the missing, the repeated and the reordered ones.
///
/// Used on the thread of its sockets. Messages with the number 0 are greetings, which show that the connection works.
public final class StreamReceiver<Intake: StreamIntake> {
    private struct Lane {
        let intake: Intake
        /// Nil if the receiver takes messages as fast as it can.
        var pace: ReceiverPace?
        var ledger = SequenceLedger()
        var isGreeted = false
        /// The highest rank of an arrival, 0 if no order is required, and the number of arrivals out of order.
        var lastOrder: UInt64 = 0
        var reorders: UInt64 = 0
    }

    private var lanes: [Lane] = []
    private var poller: ReceivePoller
    /// The index into `lanes` for each socket of the poller.
    private var polled: [Int] = []
    /// The indexes of the lanes that have no socket to wait for. They are polled in each pass.
    private var asked: [Int] = []
    /// The times and counts. Messages that were meant to be sent before counting begins are not timed.
    private var counts = LoadRun(LoadShape(loop: .closed(window: 1), end: .count(0), warmUp: 0), from: .max)
    /// The number of messages that belong to a different test.
    public private(set) var foreign: UInt64 = 0
    /// The times of the last new message of this test and of the last counted one, and the idle time until the latter.
    private var last: (new: UInt64, counted: UInt64, idle: UInt64) = (0, 0, .max)
    private let watch: LoadWatch
    /// The receiver that joins late, and the nanoseconds after which it does.
    private var latecomer: (after: UInt64, make: () throws(ZeroMQError) -> Intake)?

    /// - Parameter watch: told the counts of each second, and asked to end the run if a rule demands it.
    /// - Throws: `ZeroMQError` if the process has no file descriptor left.
    public init(watch: LoadWatch = LoadWatch()) throws(ZeroMQError) {
        poller = try ReceivePoller()
        self.watch = watch
    }

    /// - Parameter pace: the pace of a receiver that is slow on purpose. It is not polled, because it would stay
    ///   readable, and nobody would ever wait.
    public func add(_ intake: Intake, pace: ReceiverPace? = nil) throws(ZeroMQError) {
        let before = poller.count
        if pace == nil { try intake.join(&poller) }
        if poller.count > before { polled.append(lanes.count) } else { asked.append(lanes.count) }
        lanes.append(Lane(intake: intake, pace: pace))
    }

    /// Adds one more socket during the run, this many nanoseconds after counting begins.
    func add(after nanoseconds: UInt64, _ make: @escaping () throws(ZeroMQError) -> Intake) {
        latecomer = (nanoseconds, make)
    }

    public var arrivals: StreamArrivals {
        var counts = counts
        counts.idle = last.idle
        return StreamArrivals(
            received: counts.result(sentUntil: last.counted), ledgers: lanes.map(\.ledger),
            reorders: lanes.reduce(0) { $0 + ($1.lastOrder > 0 ? $1.reorders : $1.ledger.reorders) }, foreign: foreign)
    }

    /// Receives greetings until each socket has received one, or until `isOver` returns true.
    ///
    /// - Returns: whether each socket has received a greeting.
    public func greet(until isOver: () -> Bool) throws(ZeroMQError) -> Bool {
        while lanes.contains(where: { !$0.isGreeted }) {
            if isOver() { return false }
            if try !receive() { try poller.wait(.milliseconds(5)) }
        }
        return true
    }

    /// Begins the run of a shape, whose warm-up begins at a time on ``NanoClock``.
    func begin(_ shape: LoadShape, from begun: UInt64) { counts = LoadRun(shape, from: begun, watch) }

    /// Receives messages until `isOver` returns true and then no new message of this test arrives for `quiet`
    /// nanoseconds. Messages of other programs and repeated messages do not prolong the wait: they may never end.
    public func run(quiet: UInt64 = 500_000_000, until isOver: () -> Bool) throws(ZeroMQError) {
        var over: UInt64?
        last.new = NanoClock.now
        while true {
            let hasTaken = try receive()
            let now = NanoClock.now
            if over == nil, isOver() {
                over = now
                counts.tally.closeWindow()
                // Do not wait until a long queue has been received slowly.
                for place in asked { lanes[place].pace = nil }
            }
            if let over {
                // End the counts at the last message: no message was due in later seconds, so they do not count.
                if now - max(over, last.new) > quiet { return counts.tally.turn(to: max(over, last.new)) }
            } else {
                counts.tally.turn(to: now)
                if let (after, make) = latecomer, now > counts.countsFrom, now - counts.countsFrom >= after {
                    latecomer = nil
                    try add(make())
                }
            }
            if !hasTaken {
                // A slow receiver takes its messages in small portions.
                try poller.wait(.milliseconds(asked.isEmpty ? 10 : 1))
                counts.hasIdled(since: now)
            }
        }
    }

    /// Runs the receivers of a test, from the greetings to the last message.
    public func receiveAll(_ meeting: StreamMeeting, _ shape: LoadShape) throws -> StreamArrivals {
        guard try greet(until: { meeting.now.hasFailed }) else { throw BusStreamError.ended }
        meeting.tell { $0.isGreeted = true }
        guard let begun = meeting.wait(for: \.begins) else { throw BusStreamError.ended }
        begin(shape, from: begun)
        try run {
            let now = meeting.now
            return now.isSent || now.hasFailed
        }
        return arrivals
    }

    private func receive() throws(ZeroMQError) -> Bool {
        var hasTaken = false
        try poller.wait(.zero)
        try poller.empty { (number) throws(ZeroMQError) in try empty(polled[number], &hasTaken) }
        for place in asked { _ = try empty(place, &hasTaken) }
        return hasTaken
    }

    /// - Returns: whether the socket has no more messages.
    private func empty(_ place: Int, _ hasTaken: inout Bool) throws(ZeroMQError) -> Bool {
        for _ in 0..<1_024 {
            if lanes[place].pace?.mayTake(at: NanoClock.now, since: counts.begun) == false { return true }
            guard let arrival = try lanes[place].intake.receive() else { return true }
            hasTaken = true
            handle(arrival, place)
        }
        return false
    }

    private func handle(_ arrival: StreamArrival, _ place: Int) {
        guard let number = arrival.number else {
            foreign += 1
            return
        }
        guard number > 0 else {
            lanes[place].isGreeted = true
            return
        }
        lanes[place].pace?.take()
        if let order = arrival.order {
            if order < lanes[place].lastOrder { lanes[place].reorders += 1 }
            lanes[place].lastOrder = max(lanes[place].lastOrder, order)
        }
        let now = NanoClock.now
        guard lanes[place].ledger.receive(number) else { return }
        last.new = now
        guard arrival.intended >= counts.countsFrom else { return }
        (last.counted, last.idle) = (now, counts.idle)
        let latency = now - min(now, arrival.intended)
        counts.count(arrival.intended) { $0.record(latency, bytes: arrival.bytes, at: now) }
    }
}

/// Slows a receiver down: it takes at most a share of the messages that were meant to be sent until now.
public struct ReceiverPace: Sendable {
    private let share: Double
    private let shape: LoadShape
    private var taken: UInt64 = 0

    /// - Parameter shape: an open loop.
    init(_ share: Double, of shape: LoadShape) { (self.share, self.shape) = (share, shape) }

    /// - Parameter begun: the time at which the run begins. Before it, the receiver takes everything.
    func mayTake(at now: UInt64, since begun: UInt64) -> Bool {
        guard now > begun, let pace = shape.pace else { return true }
        let seconds = Double(now - begun) / 1e9
        let intended = pace.firstRate * min(seconds, shape.warmUp) + pace.operations(until: seconds - shape.warmUp)
        return Double(taken) < share * intended
    }

    mutating func take() { taken += 1 }
}
