// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends load through request ports and measures the answers, on one thread that does nothing else.
///
/// While it has nothing to do, the thread waits in the kernel until an operation is almost due, and then spins, because
/// a wake-up is late by about 50 µs. It does not spin for longer: on a machine with few cores that would slow down the
/// measured service.
public struct RequestGenerator {
    /// The time after which an operation without an answer has failed.
    public var timeout: UInt64
    /// The maximum number of operations in flight; open loop only. Further operations are skipped, so that the memory
    /// does not fill up if the service does not answer.
    public var mostUnderWay = 65_536
    public var watch: LoadWatch
    /// The names of the kinds of operation in a mixed load, if each kind is also counted separately.
    public var parts: [String] = []

    static let late: UInt64 = 1_000_000
    /// The nanoseconds for which a run that was asked to stop waits for the operations in flight.
    static let patience: UInt64 = 5_000_000_000
    static let spin: UInt64 = 60_000

    public init(watch: LoadWatch = LoadWatch(), timeout: UInt64 = 5_000_000_000) {
        (self.watch, self.timeout) = (watch, timeout)
    }

    /// Runs until the end of the shape, then waits for the operations in flight. Call it on a thread that may block.
    ///
    /// - Parameter begun: the time on ``NanoClock`` at which the warm-up begins.
    public func run<Port: RequestPort>(
        _ ports: [Port], _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> LoadResult {
        var run = RequestRun(ports: ports, shape: shape, from: begun, generator: self)
        return try run.go()
    }
}

/// One run of a ``RequestGenerator``, on its thread.
struct RequestRun<Port: RequestPort>: ~Copyable {
    let ports: [Port]
    let generator: RequestGenerator
    /// The number of operations that each client keeps in flight; nil in an open loop.
    let window: Int?
    var run: LoadRun
    var poller = Poller()
    var flight: Flight
    var underWay: [Int]
    /// The intended time of the next operation; used only in an open loop.
    var due: UInt64 = 0
    var number: UInt64 = 0
    /// The number of the last operation that was meant to be sent in the warm-up.
    var lastWarm: UInt64 = .max
    var counted: UInt64 = 0
    var lastAnswer: UInt64 = 0
    var turn = 0

    init(ports: [Port], shape: LoadShape, from begun: UInt64, generator: RequestGenerator) {
        (self.ports, self.generator) = (ports, generator)
        run = LoadRun(shape, from: begun, generator.watch, kinds: generator.parts)
        underWay = Array(repeating: 0, count: ports.count)
        window = if case .closed(let window) = shape.loop { window } else { nil }
        flight = Flight(most: window.map { max(1, $0) * ports.count } ?? generator.mostUnderWay)
        advance()
        for port in ports { port.join(&poller) }
    }

    mutating func go() throws(ZeroMQError) -> LoadResult {
        while true {
            let now = NanoClock.now
            run.begins(at: now)
            if isOver(now) || counted >= run.most || generator.watch.stop.isAsked { break }
            let hasSent = if let window { try fill(window) } else { try catchUp(now) }
            let hasReceived = try receive()
            expire(now)
            if !hasSent, !hasReceived { try wait() }
        }
        let stopped = min(NanoClock.now, run.end)
        run.tally.closeWindow()
        if !generator.watch.stop.isAsked { run.skipUnsent(from: due) }
        try drain()
        return run.result(sentUntil: stopped, last: lastAnswer)
    }

    /// Whether sending has ended. A generator that is behind schedule still sends operations that were due before the
    /// end of the run.
    private func isOver(_ now: UInt64) -> Bool {
        guard now >= run.end else { return false }
        return window != nil || due >= run.end || now >= run.limit
    }

    var maySend: Bool { flight.hasRoom && !isAllSent }
    var isAllSent: Bool { lastWarm != .max && number - lastWarm >= run.most }
    mutating func advance() { if let time = run.next() { due = time } }
    func isCounted(_ number: UInt64) -> Bool { number > lastWarm }

    /// Waits until an answer arrives or an operation is due, but at most a millisecond, because the run must also
    /// notice the end of the warm-up and its own end.
    private mutating func wait() throws(ZeroMQError) {
        let now = NanoClock.now
        // Build the next message now, while there is time.
        if window == nil, maySend { ports[0].prepare(number + 1) }
        // Read the clock again, because building the message may have taken longer than the time left.
        let left = window == nil && maySend ? due - min(due, NanoClock.now) : .max
        _ =
            left > 1_000_000 + RequestGenerator.spin
            ? try poller.wait(.milliseconds(1)) : try poller.wait(nanoseconds: left - min(left, RequestGenerator.spin))
        run.hasIdled(since: now)
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

/// Sends operations at their intended times.
extension RequestRun {
    private mutating func fill(_ window: Int) throws(ZeroMQError) -> Bool {
        var hasSent = false
        for client in ports.indices {
            while underWay[client] < window, maySend {
                ports[client].prepare(number + 1)
                let now = NanoClock.now
                guard try begin(client, intended: now) else { break }
                hasSent = true
            }
        }
        return hasSent
    }

    private mutating func catchUp(_ now: UInt64) throws(ZeroMQError) -> Bool {
        var hasSent = false
        // Send a limited number of operations at a time, so that answers are received even if many operations are due.
        for _ in 0..<64 where due <= now && due < run.end && !isAllSent {
            guard flight.hasRoom else {
                run.skip(due)
                advance()
                continue
            }
            turn = (turn + 1) % ports.count
            guard try begin(turn, intended: due) else { break }
            if due >= run.countsFrom, NanoClock.now - due > RequestGenerator.late { run.count(due) { $0.late += 1 } }
            advance()
            hasSent = true
        }
        return hasSent
    }

    private mutating func begin(_ client: Int, intended: UInt64) throws(ZeroMQError) -> Bool {
        guard try ports[client].send(number + 1, intended: intended) else { return false }
        if lastWarm == .max, intended >= run.countsFrom { lastWarm = number }
        number += 1
        let part = ports[client].part
        flight.begin(number, intended: intended, client: client, part: part)
        underWay[client] += 1
        if isCounted(number) { run.count(intended, kind: part) { $0.sent += 1 } }
        return true
    }
}

/// Receives answers, and ends operations that got no answer in time.
extension RequestRun {
    mutating func receive() throws(ZeroMQError) -> Bool {
        var hasReceived = false
        for port in ports {
            for _ in 0..<256 {
                guard let answer = try port.receive() else { break }
                hasReceived = true
                guard let operation = flight.end(answer.number) else {
                    // An operation that timed out earlier has already been counted. Other numbers were never sent.
                    let isForeign = answer.number == 0 || answer.number > number
                    if isForeign, run.isCounting { run.tally.failed("foreign_answer", at: NanoClock.now) }
                    continue
                }
                underWay[Int(operation.client)] -= 1
                guard isCounted(answer.number) else { continue }
                counted += 1
                let now = NanoClock.now
                lastAnswer = now
                let (intended, part, bytes) = (operation.intended, Int(operation.part), answer.bytes)
                if let error = answer.error {
                    run.count(intended, kind: part) { $0.failed(error, at: now) }
                } else {
                    run.count(intended, kind: part) { $0.record(now - min(now, intended), bytes: bytes, at: now) }
                }
            }
        }
        return hasReceived
    }

    /// - Parameter isOver: whether operations that could still be answered in time have failed, too.
    mutating func expire(_ now: UInt64, isOver: Bool = false) {
        let latest = isOver ? .max : now - min(now, generator.timeout)
        while let operation = flight.expire(before: latest) {
            underWay[Int(operation.client)] -= 1
            guard isCounted(operation.number) else { continue }
            counted += 1
            run.count(operation.intended, kind: Int(operation.part)) { $0.failed("timed_out", at: now) }
        }
    }
}
