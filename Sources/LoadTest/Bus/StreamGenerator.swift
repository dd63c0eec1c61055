// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends numbered messages one way, through a PUSH or PUB socket. In an open loop the clock sets the pace. In a closed
/// loop the socket sets it, by how fast it accepts messages.
///
/// In a closed loop PUSH waits while the queue is full. PUB drops messages, and the receiver counts the missing ones.
public struct StreamGenerator {
    public var watch = LoadWatch()
    /// Whether to time how long the socket takes to accept each message, for a test that does not see messages arrive.
    public var timesSending = false
    /// The time in nanoseconds without an accepted message after which the generator gives up.
    public var patience: UInt64 = 5_000_000_000

    /// The last number of the run, whose numbers begin with 1 in the warm-up, and the result of sending, without the
    /// warm-up. It has latencies only if sending is timed. The error `nobody_receives` means that the run ended because
    /// the socket accepted no message for too long.
    public typealias Outcome = (last: UInt64, result: LoadResult)

    /// - Parameter begun: the time on ``NanoClock`` at which the warm-up begins.
    public func run(
        _ sender: some StreamSender, _ shape: LoadShape, from begun: UInt64 = NanoClock.now
    ) throws(ZeroMQError) -> Outcome {
        // If messages are seen to arrive, the receiver tells the results of each second.
        var run = LoadRun(shape, from: begun, watch, tells: timesSending)
        var (last, isBlocked): (UInt64, Bool) = (0, false)
        // The last number of the warm-up; nil before its end.
        var lastWarm: UInt64?
        while last - (lastWarm ?? last) < run.most, !watch.stop.isAsked {
            var intended = NanoClock.now
            if let time = run.next() {
                intended = time
                wait(until: min(intended, run.end), &run)
                if intended >= run.end { break }
            }
            let now = NanoClock.now
            if lastWarm == nil, intended >= run.countsFrom {
                lastWarm = last
                run.begins(at: max(now, intended))
            }
            guard now < run.limit, !watch.stop.isAsked,
                let bytes = try send(last + 1, intended, through: sender, &run, &isBlocked)
            else {
                if !watch.stop.isAsked { run.skipUnsent(from: intended) }
                break
            }
            last += 1
            guard lastWarm != nil else { continue }
            let sent = timesSending ? NanoClock.now : 0
            run.count(intended) { tally in
                tally.sent += 1
                if now - intended > RequestGenerator.late { tally.late += 1 }
                if sent > 0 { tally.record(sent - intended, bytes: bytes, at: sent) }
            }
        }
        var result = run.result(sentUntil: min(NanoClock.now, run.limit))
        if isBlocked { result.figures.errors["nobody_receives"] = 1 }
        return (last, result)
    }

    /// - Returns: the size of the message; nil if the socket did not accept it before the end of the run.
    private func send(
        _ number: UInt64, _ intended: UInt64, through sender: some StreamSender, _ run: inout LoadRun,
        _ isBlocked: inout Bool
    ) throws(ZeroMQError) -> Int? {
        let since = NanoClock.now
        while true {
            if let bytes = try sender.send(number, intended: intended) { return bytes }
            let now = NanoClock.now
            isBlocked = now - since > patience
            guard now < run.limit, !isBlocked, !watch.stop.isAsked else { return nil }
            // The queue is full. Sleep, because spinning would take processor time from the receiver.
            NanoClock.sleep(20_000)
            run.hasIdled(since: now)
        }
    }

    /// Sleeps as long as that is safe and spins for the rest, as ``RequestGenerator`` does.
    private func wait(until time: UInt64, _ run: inout LoadRun) {
        let from = NanoClock.now
        while case let now = NanoClock.now, now < time, !watch.stop.isAsked {
            if time - now > RequestGenerator.spin {
                NanoClock.sleep(min(time - now - RequestGenerator.spin, 50_000_000))
            }
        }
        run.hasIdled(since: from)
    }
}
