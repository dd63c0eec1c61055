// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends numbered messages one way, through a PUSH or PUB socket. In an open loop the clock sets
/// the pace. In a closed loop the socket sets it, by how fast it accepts messages.
///
/// In a closed loop PUSH waits while the queue to the receiver is full. PUB does not wait but drops messages, and the
/// receiver counts how many are missing.
public struct StreamGenerator {
    public var watch = LoadWatch()
    /// Whether to time how long the socket takes to accept each message, for a test that does not see messages arrive.
    public var timesSending = false
    /// The time in nanoseconds without an accepted message after which the generator gives up.
    public var patience: UInt64 = 5_000_000_000

    public struct Outcome: Sendable {
        /// The last number of the run. The numbers begin with 1 in the warm-up.
        public var last: UInt64
        /// The result of sending, without the warm-up. It has latencies only if sending is timed. The error
        /// `nobody_receives` means that the run ended because the socket accepted no message for too long.
        public var result: LoadResult
    }

    /// - Parameters:
    ///   - sender: the sender, owned by the calling thread.
    ///   - begun: the time on ``NanoClock`` at which the warm-up begins.
    public func run(
        _ sender: some StreamSender, _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        var run = StreamRun(generator: self, run: LoadRun(shape, from: begun, watch, tells: timesSending))
        return try run.go(sender)
    }
}

/// One run of a ``StreamGenerator``, on its thread.
private struct StreamRun: ~Copyable {
    let generator: StreamGenerator
    var run: LoadRun
    /// The number of the last message that was sent, and of the last message of the warm-up.
    var last: UInt64 = 0
    var lastWarm: UInt64 = 0
    var isBlocked = false

    mutating func go(_ sender: some StreamSender) throws(ZeroMQError) -> StreamGenerator.Outcome {
        var isWarm = true
        while last - lastWarm < run.most, !isAsked {
            var intended = NanoClock.now
            if let time = run.next() {
                intended = time
                wait(until: min(intended, run.end))
                if intended >= run.end { break }
            }
            let now = NanoClock.now
            if isWarm, intended >= run.countsFrom {
                isWarm = false
                lastWarm = last
                run.begins(at: max(now, intended))
            } else if isWarm {
                lastWarm = last + 1
            }
            guard now < run.limit, !isAsked, let bytes = try send(sender, intended) else {
                if !isAsked { run.skipUnsent(from: intended) }
                break
            }
            let sent = generator.timesSending ? NanoClock.now : 0
            run.count(intended) { tally in
                guard !isWarm else { return }
                tally.sent += 1
                if now - intended > RequestGenerator.late { tally.late += 1 }
                if sent > 0 { tally.record(sent - intended, bytes: bytes, at: sent) }
            }
        }
        var result = run.result(sentUntil: min(NanoClock.now, run.limit))
        if isBlocked { result.figures.errors["nobody_receives"] = 1 }
        return StreamGenerator.Outcome(last: last, result: result)
    }

    private var isAsked: Bool { generator.watch.stop.isAsked }

    /// - Returns: the size of the message; nil if the socket did not accept it before the end of the run.
    private mutating func send(_ sender: some StreamSender, _ intended: UInt64) throws(ZeroMQError) -> Int? {
        let since = NanoClock.now
        while true {
            if let bytes = try sender.send(last + 1, intended: intended) {
                last += 1
                return bytes
            }
            let now = NanoClock.now
            isBlocked = now - since > generator.patience
            guard now < run.limit, !isBlocked, !isAsked else { return nil }
            // The queue is full. Sleep, because spinning would take processor time from the receiver.
            NanoClock.sleep(20_000)
            run.hasIdled(since: now)
        }
    }

    /// Sleeps as long as that is safe and spins for the rest, as ``RequestGenerator`` does.
    private mutating func wait(until time: UInt64) {
        let from = NanoClock.now
        while case let now = NanoClock.now, now < time, !isAsked {
            if time - now > RequestGenerator.spin {
                NanoClock.sleep(min(time - now - RequestGenerator.spin, 50_000_000))
            }
        }
        run.hasIdled(since: from)
    }
}
