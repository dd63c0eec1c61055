// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends numbered messages one way, through PUSH or PUB: the clock decides when, or, in a closed loop, how fast the
/// socket takes them.
///
/// In a closed loop PUSH waits while the other end has its fill; PUB does not wait but drops, which the other end counts.
public struct StreamGenerator {
    public var tell: (@Sendable (Int, Tally.Second) -> Void)?

    public init() {}

    public struct Outcome: Sendable {
        /// Of the whole run, the warm-up too: numbers begin with 1 and end here.
        public var last: UInt64 = 0
        /// Messages with numbers up to here were sent during the warm-up.
        public var lastWarm: UInt64 = 0
        public var late: UInt64 = 0
        /// How long was counted.
        public var seconds: Double = 0
    }

    /// - Parameter socket: PUSH or PUB, connected or bound. Owned by the calling thread.
    public func run(_ socket: borrowing Socket, size: Int, _ shape: LoadShape) throws(ZeroMQError) -> Outcome {
        var payload = Payload.make(size)
        var message = Message()
        var outcome = Outcome()
        let begun = NanoClock.now
        let countsFrom = begun + UInt64(shape.warmUp * 1e9)
        var end = UInt64.max
        var most = UInt64.max
        switch shape.end {
        case .duration(let seconds): end = countsFrom + UInt64(seconds * 1e9)
        case .count(let count): most = UInt64(count)
        }
        var schedule: Schedule?
        if case .open(let rate, let arrival) = shape.loop {
            schedule = Schedule(rate: rate, arrival: arrival, seed: shape.seed)
        }
        var isWarm = true
        while outcome.last - outcome.lastWarm < most {
            var intended = NanoClock.now
            if let time = schedule?.next() {
                intended = begun + time
                guard intended < end else { break }
                wait(until: intended)
            }
            let now = NanoClock.now
            guard now < end else { break }
            if isWarm, intended >= countsFrom {
                isWarm = false
                outcome.lastWarm = outcome.last
            } else if isWarm {
                outcome.lastWarm = outcome.last + 1
            }
            if !isWarm, now - intended > 1_000_000 { outcome.late += 1 }
            outcome.last += 1
            Payload.write(outcome.last, intended, into: &payload)
            message.removeAll()
            payload.withUnsafeBytes { message.append(copying: $0) }
            while try socket.send(&message) == .wouldBlock {
                guard NanoClock.now < end else {
                    outcome.last -= 1
                    outcome.seconds = Double(end - countsFrom) / 1e9
                    return outcome
                }
            }
        }
        outcome.seconds = Double(max(min(NanoClock.now, end), countsFrom + 1) - countsFrom) / 1e9
        return outcome
    }

    /// Sleeps as long as that is safe, and spins the rest: a wake-up may be a millisecond late.
    private func wait(until time: UInt64) {
        while true {
            let now = NanoClock.now
            guard now < time else { return }
            if time - now > 2_000_000 { NanoClock.sleep(time - now - 1_200_000) }
        }
    }
}
