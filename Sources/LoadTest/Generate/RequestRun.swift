// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// One run of a ``RequestGenerator``, on its thread.
struct RequestRun<Port: RequestPort>: ~Copyable {
    let ports: [Port]
    let shape: LoadShape
    let generator: RequestGenerator
    var poller = Poller()
    var flight: Flight
    var underWay: [Int]
    var tally: Tally
    var parts: [Tally]
    var profile: ProfileTally
    var schedule: Schedule?
    /// The intended time of the next operation; used only in an open loop.
    var due: UInt64 = 0
    var number: UInt64 = 0
    var isCounting = false
    /// The number of the last operation that was meant to be sent in the warm-up.
    var lastWarm: UInt64 = .max
    var counted: UInt64 = 0
    var lastAnswer: UInt64 = 0
    /// The idle time in nanoseconds since counting began.
    var idle: UInt64 = 0
    let begun: UInt64
    let countsFrom: UInt64
    let end: UInt64
    /// The maximum number of operations that are counted.
    let most: UInt64
    var turn = 0

    init(ports: [Port], shape: LoadShape, from begun: UInt64, generator: RequestGenerator) {
        (self.ports, self.shape, self.generator, self.begun) = (ports, shape, generator, begun)
        countsFrom = shape.counting(from: begun)
        (end, most) = shape.limits(countingFrom: countsFrom)
        tally = Tally(from: countsFrom, watch: generator.watch)
        profile = ProfileTally(shape.profile, from: countsFrom)
        parts = Array(repeating: Tally(from: countsFrom), count: generator.parts.count)
        underWay = Array(repeating: 0, count: ports.count)
        switch shape.loop {
        case .closed(let window): flight = Flight(most: max(1, window) * ports.count)
        case .open:
            flight = Flight(most: generator.mostUnderWay)
            schedule = Schedule(shape)
            due = begun
            advance()
        }
        for port in ports { port.join(&poller) }
    }

    mutating func go() throws(ZeroMQError) -> LoadResult {
        while true {
            let now = NanoClock.now
            if !isCounting, now >= countsFrom {
                isCounting = true
                generator.watch.countingBegins()
            }
            if isOver(now) || counted >= most || generator.watch.stop.isAsked { break }
            let hasSent = try send(now)
            let hasReceived = try receive()
            expire(NanoClock.now)
            if !hasSent, !hasReceived { try wait() }
        }
        let stopped = min(NanoClock.now, end)
        tally.closeWindow()
        skipUnsent()
        try drain()
        // The run lasts up to the last answer, because answers after the end of sending count, too.
        let last = max(stopped, lastAnswer, countsFrom + 1)
        tally.turn(to: last)
        for place in parts.indices { parts[place].turn(to: last) }
        let counted = Double(max(stopped, countsFrom + 1) - countsFrom)
        let seconds = Double(last - countsFrom) / 1e9
        var result = LoadResult(tally, seconds: seconds, rate: shape.rate)
        result.figures.generatorBusy = max(0, 1 - Double(idle) / counted)
        result.parts = zip(generator.parts, parts).map { .init($0, LoadResult($1, seconds: seconds)) }
        result.parts += profile.results(seconds: seconds)
        return result
    }

    /// Whether sending has ended. A generator that is behind schedule still sends operations that were due before the
    /// end of the run.
    private func isOver(_ now: UInt64) -> Bool {
        guard now >= end else { return false }
        return schedule == nil || due >= end || now - end >= LoadShape.grace
    }

    private mutating func skipUnsent() {
        guard schedule != nil, end < .max, !generator.watch.stop.isAsked else { return }
        while due < end {
            skip()
        }
    }

    var maySend: Bool { flight.hasRoom && !isAllSent }

    /// Whether all operations of the shape have been sent.
    var isAllSent: Bool { lastWarm != .max && number - lastWarm >= most }

    /// Waits until an answer arrives or an operation is due, but at most a millisecond, because the run must also
    /// notice the end of the warm-up and its own end.
    private mutating func wait() throws(ZeroMQError) {
        let now = NanoClock.now
        // Build the next message now, while there is time.
        if schedule != nil, maySend { ports[0].prepare(number + 1) }
        // Read the clock again, because building the message may have taken longer than the time left.
        let left = schedule != nil && maySend ? due - min(due, NanoClock.now) : .max
        _ =
            left > 1_000_000 + RequestGenerator.spin
            ? try poller.wait(.milliseconds(1)) : try poller.wait(nanoseconds: left - min(left, RequestGenerator.spin))
        if isCounting { idle += NanoClock.now - now }
    }

    /// Waits for the operations that are in flight at the end of sending. They count however long they take, except in
    /// a run that was asked to stop, because a timeout may be hours.
    private mutating func drain() throws(ZeroMQError) {
        var asked: UInt64?
        while flight.count > 0 {
            if try !receive() { _ = try poller.wait(.milliseconds(1)) }
            let now = NanoClock.now
            if asked == nil, generator.watch.stop.isAsked { asked = now }
            expire(now, isOver: asked.map { now - $0 > RequestGenerator.patience } ?? false)
        }
    }
}
