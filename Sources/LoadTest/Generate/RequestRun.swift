// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// One run of a ``RequestGenerator``, on its thread.
struct RequestRun<Port: RequestPort>: ~Copyable {
    let ports: [Port]
    let generator: RequestGenerator
    var run: LoadRun
    var poller = Poller()
    var flight: Flight
    var underWay: [Int]
    /// The intended time of the next operation; used only in an open loop.
    var due: UInt64 = 0
    var number: UInt64 = 0
    var isCounting = false
    /// The number of the last operation that was meant to be sent in the warm-up.
    var lastWarm: UInt64 = .max
    var counted: UInt64 = 0
    var lastAnswer: UInt64 = 0
    var turn = 0

    init(ports: [Port], shape: LoadShape, from begun: UInt64, generator: RequestGenerator) {
        (self.ports, self.generator) = (ports, generator)
        run = LoadRun(shape, from: begun, generator.watch, kinds: generator.parts.count)
        underWay = Array(repeating: 0, count: ports.count)
        var most = generator.mostUnderWay
        if case .closed(let window) = shape.loop { most = max(1, window) * ports.count }
        flight = Flight(most: most)
        advance()
        for port in ports { port.join(&poller) }
    }

    mutating func go() throws(ZeroMQError) -> LoadResult {
        while true {
            let now = NanoClock.now
            if !isCounting, now >= run.countsFrom {
                isCounting = true
                generator.watch.countingBegins()
            }
            if isOver(now) || counted >= run.most || generator.watch.stop.isAsked { break }
            let hasSent = try send(now)
            let hasReceived = try receive()
            expire(NanoClock.now)
            if !hasSent, !hasReceived { try wait() }
        }
        let stopped = min(NanoClock.now, run.end)
        run.tally.closeWindow()
        if !generator.watch.stop.isAsked { run.skipUnsent(from: due) }
        try drain()
        return run.result(sentUntil: stopped, last: lastAnswer, kinds: generator.parts)
    }

    /// Whether sending has ended. A generator that is behind schedule still sends operations that were due before the
    /// end of the run.
    private func isOver(_ now: UInt64) -> Bool {
        guard now >= run.end else { return false }
        return !run.isOpen || due >= run.end || now >= run.limit
    }

    var maySend: Bool { flight.hasRoom && !isAllSent }

    /// Whether all operations of the shape have been sent.
    var isAllSent: Bool { lastWarm != .max && number - lastWarm >= run.most }

    mutating func advance() { if let time = run.next() { due = time } }

    func isCounted(_ number: UInt64) -> Bool { number > lastWarm }

    /// Waits until an answer arrives or an operation is due, but at most a millisecond, because the run must also
    /// notice the end of the warm-up and its own end.
    private mutating func wait() throws(ZeroMQError) {
        let now = NanoClock.now
        // Build the next message now, while there is time.
        if run.isOpen, maySend { ports[0].prepare(number + 1) }
        // Read the clock again, because building the message may have taken longer than the time left.
        let left = run.isOpen && maySend ? due - min(due, NanoClock.now) : .max
        _ =
            left > 1_000_000 + RequestGenerator.spin
            ? try poller.wait(.milliseconds(1)) : try poller.wait(nanoseconds: left - min(left, RequestGenerator.spin))
        if isCounting { run.hasIdled(since: now) }
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
