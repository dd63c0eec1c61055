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
    var schedule: Schedule?
    /// Open loop: when the next operation is meant to be sent.
    var due: UInt64 = 0
    var number: UInt64 = 0
    var isCounting = false
    /// Numbers up to here belong to the warm-up: they were meant to be sent before it was over.
    var lastWarm: UInt64 = .max
    var counted = 0
    var lastAnswer: UInt64 = 0
    /// Nanoseconds since counting began in which there was nothing to do.
    var idle: UInt64 = 0
    let begun: UInt64
    let countsFrom: UInt64
    var turn = 0

    init(ports: [Port], shape: LoadShape, from begun: UInt64, generator: RequestGenerator) {
        (self.ports, self.shape, self.generator, self.begun) = (ports, shape, generator, begun)
        countsFrom = begun + UInt64(shape.warmUp * 1e9)
        tally = Tally(from: countsFrom, tell: generator.watch.tell)
        parts = Array(repeating: Tally(from: countsFrom), count: generator.parts)
        underWay = Array(repeating: 0, count: ports.count)
        switch shape.loop {
        case .closed(let window): flight = Flight(most: max(1, window) * ports.count)
        case .open(let rate, let arrival):
            flight = Flight(most: generator.mostUnderWay)
            schedule = Schedule(rate: rate, arrival: arrival, seed: shape.seed)
            due = begun
            advance()
        }
        for port in ports { port.join(&poller) }
    }

    mutating func go() throws(ZeroMQError) -> RequestGenerator.Outcome {
        var end = UInt64.max
        if case .duration(let seconds) = shape.end { end = countsFrom + UInt64(seconds * 1e9) }
        while true {
            let now = NanoClock.now
            if !isCounting, now >= countsFrom {
                isCounting = true
                generator.watch.countingBegins()
            }
            if isOver(now, end) || isEnough || generator.watch.stop.isAsked { break }
            let hasSent = try send(now, until: end)
            let hasReceived = try receive()
            expire(NanoClock.now)
            if !hasSent, !hasReceived { try wait() }
        }
        let stopped = min(NanoClock.now, end)
        skipUnsent(until: end)
        try drain()
        // Until the last answer: what came after the end has taken its time too.
        let last = max(stopped, lastAnswer, countsFrom + 1)
        tally.turn(to: last)
        for place in parts.indices { parts[place].turn(to: last) }
        let counted = Double(max(stopped, countsFrom + 1) - countsFrom)
        return RequestGenerator.Outcome(
            tally: tally, parts: parts, seconds: Double(last - countsFrom) / 1e9,
            busy: max(0, 1 - Double(idle) / counted))
    }

    /// What was meant to be sent before the end is still sent when the generator is behind.
    private func isOver(_ now: UInt64, _ end: UInt64) -> Bool {
        guard now >= end else { return false }
        return schedule == nil || due >= end || now - end >= LoadShape.grace
    }

    private mutating func skipUnsent(until end: UInt64) {
        guard schedule != nil, end < .max, !generator.watch.stop.isAsked else { return }
        while due < end {
            if due >= countsFrom { tally.skipped += 1 }
            advance()
        }
    }

    /// Whether all operations that were asked for have ended.
    private var isEnough: Bool {
        guard case .count(let most) = shape.end else { return false }
        return counted >= most
    }

    var maySend: Bool { flight.hasRoom && !isAllSent }

    /// Whether as many as were asked for are under way or have ended.
    var isAllSent: Bool {
        guard case .count(let most) = shape.end, lastWarm != .max else { return false }
        return number - lastWarm >= UInt64(most)
    }

    /// Until something comes or is to be sent, but not longer than a millisecond: the ends of the warm-up and of the
    /// run are looked at too.
    private mutating func wait() throws(ZeroMQError) {
        let now = NanoClock.now
        // Ahead of its time.
        if schedule != nil, maySend { ports[0].prepare(number + 1) }
        let left = schedule != nil && maySend ? due - min(due, now) : .max
        _ = try poller.wait(left > RequestGenerator.spin ? .milliseconds(1) : .zero)
        if isCounting { idle += NanoClock.now - now }
    }

    /// What is under way at the end still counts, however long it takes.
    private mutating func drain() throws(ZeroMQError) {
        while flight.count > 0 {
            if try !receive() { _ = try poller.wait(.milliseconds(1)) }
            expire(NanoClock.now)
        }
    }
}
