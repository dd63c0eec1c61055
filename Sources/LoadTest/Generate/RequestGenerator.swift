// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Offers load to request ports and measures what comes back: one thread, which does nothing else.
///
/// Between two things to do it waits in the kernel only when there are more than two milliseconds to go; the rest it
/// spins, because a wake-up may be late by more than what is measured.
public struct RequestGenerator {
    /// An operation that has no answer by then has failed.
    public var timeout: UInt64 = 5_000_000_000
    /// Open loop: more are not sent but skipped, so that a service which stands still does not fill the memory.
    public var mostUnderWay = 65_536
    public var watch = LoadWatch()
    /// So many parts of a mixed load are also counted by themselves.
    public var parts = 0

    private static let late: UInt64 = 1_000_000
    private static let spin: UInt64 = 2_000_000

    public init() {}

    /// What a run came to.
    public struct Outcome: Sendable {
        public var tally: Tally
        /// Of each part, answers only: what was never answered is of no part.
        public var parts: [Tally]
        /// Seconds that were counted.
        public var seconds: Double
        /// What part of them the generator had something to do. Near 1 it is the generator that is measured.
        public var busy: Double
    }

    /// Runs until the shape's end, then waits for what is under way. Call it on a thread that may block.
    ///
    /// - Parameter begun: when the warm-up begins, on ``NanoClock``.
    public func run<Port: RequestPort>(
        _ ports: [Port], _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        var run = Run(ports: ports, shape: shape, from: begun, generator: self)
        return try run.go()
    }

    private struct Run<Port: RequestPort>: ~Copyable {
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

        mutating func go() throws(ZeroMQError) -> Outcome {
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
            return Outcome(
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

        private var maySend: Bool { flight.hasRoom && !isAllSent }

        /// Whether as many as were asked for are under way or have ended.
        private var isAllSent: Bool {
            guard case .count(let most) = shape.end, lastWarm != .max else { return false }
            return number - lastWarm >= UInt64(most)
        }

        private mutating func send(_ now: UInt64, until end: UInt64) throws(ZeroMQError) -> Bool {
            switch shape.loop {
            case .closed(let window): return try fill(window)
            case .open: return try catchUp(now, until: end)
            }
        }

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

        private mutating func catchUp(_ now: UInt64, until end: UInt64) throws(ZeroMQError) -> Bool {
            var hasSent = false
            // Some at a time, so that answers are not left lying while much is to be sent.
            for _ in 0..<64 where due <= now && due < end && !isAllSent {
                guard flight.hasRoom else {
                    if due >= countsFrom { tally.skipped += 1 }
                    advance()
                    continue
                }
                turn = (turn + 1) % ports.count
                guard try begin(turn, intended: due) else { break }
                if due >= countsFrom, NanoClock.now - due > RequestGenerator.late { tally.late += 1 }
                advance()
                hasSent = true
            }
            return hasSent
        }

        private mutating func advance() {
            if let time = schedule?.next() { due = begun + time }
        }

        private mutating func begin(_ client: Int, intended: UInt64) throws(ZeroMQError) -> Bool {
            guard try ports[client].send(number + 1, intended: intended) else { return false }
            if lastWarm == .max, intended >= countsFrom { lastWarm = number }
            number += 1
            flight.begin(number, intended: intended, client: client)
            underWay[client] += 1
            if isCounted(number) { tally.sent += 1 }
            return true
        }

        private func isCounted(_ number: UInt64) -> Bool { number > lastWarm }

        private mutating func receive() throws(ZeroMQError) -> Bool {
            var hasReceived = false
            for port in ports {
                for _ in 0..<256 {
                    guard let answer = try port.receive() else { break }
                    hasReceived = true
                    // What has been given up before is counted already.
                    guard let (intended, client) = flight.end(answer.number) else { continue }
                    underWay[client] -= 1
                    guard isCounted(answer.number) else { continue }
                    counted += 1
                    let now = NanoClock.now
                    lastAnswer = now
                    let latency = now - min(now, intended)
                    Self.count(answer, latency, at: now, in: &tally)
                    if answer.part < parts.count { Self.count(answer, latency, at: now, in: &parts[answer.part]) }
                }
            }
            return hasReceived
        }

        private static func count(_ answer: RequestAnswer, _ latency: UInt64, at now: UInt64, in tally: inout Tally) {
            if let error = answer.error {
                tally.failed(error, at: now)
            } else {
                tally.record(latency, bytes: answer.bytes, at: now)
            }
        }

        private mutating func expire(_ now: UInt64) {
            while let (number, client) = flight.expire(before: now - min(now, generator.timeout)) {
                underWay[client] -= 1
                guard isCounted(number) else { continue }
                counted += 1
                tally.failed("timed_out", at: now)
            }
        }

        /// Until something comes or is to be sent, but not longer than a millisecond: the ends of the warm-up and of the
        /// run are looked at too.
        private mutating func wait() throws(ZeroMQError) {
            let now = NanoClock.now
            // Ahead of its time.
            if schedule != nil, maySend { ports[0].prepare(number + 1) }
            let left = schedule != nil && maySend ? due - min(due, now) : .max
            _ = try poller.wait(milliseconds: left > RequestGenerator.spin ? 1 : 0)
            if isCounting { idle += NanoClock.now - now }
        }

        /// What is under way at the end still counts, however long it takes.
        private mutating func drain() throws(ZeroMQError) {
            while flight.count > 0 {
                if try !receive() { _ = try poller.wait(milliseconds: 1) }
                expire(NanoClock.now)
            }
        }
    }
}
