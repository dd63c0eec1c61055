// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// One run of a ``StreamGenerator``, on its thread.
struct StreamRun: ~Copyable {
    let shape: LoadShape
    let watch: LoadWatch
    let patience: UInt64
    let tag: UInt64
    let begun: UInt64
    let countsFrom: UInt64
    let end: UInt64
    let most: UInt64
    var schedule: Schedule?
    var outcome = StreamGenerator.Outcome()
    var payload: [UInt8]
    var idle: UInt64 = 0

    init(_ size: Int, _ shape: LoadShape, from begun: UInt64, _ generator: StreamGenerator) {
        (self.shape, self.begun, watch, patience) = (shape, begun, generator.watch, generator.patience)
        tag = generator.tag
        payload = Payload.make(max(size, Payload.fewestTagged))
        countsFrom = shape.counting(from: begun)
        (end, most) = shape.limits(countingFrom: countsFrom)
        if case .open(let rate, let arrival) = shape.loop {
            schedule = Schedule(rate: rate, arrival: arrival, seed: shape.seed)
        }
        if generator.timesSending { outcome.tally = Tally(from: countsFrom, tell: generator.watch.tell) }
    }

    mutating func go(_ sender: some StreamSender) throws(ZeroMQError) {
        var isWarm = true
        while outcome.last - outcome.lastWarm < most, !watch.stop.isAsked {
            var intended = NanoClock.now
            if let time = schedule?.next() {
                intended = begun + time
                guard intended < end else {
                    wait(until: end)
                    break
                }
                wait(until: intended)
            }
            let now = NanoClock.now
            guard now < limit, !watch.stop.isAsked else {
                skipUnsent(from: intended)
                break
            }
            if isWarm, intended >= countsFrom {
                isWarm = false
                outcome.lastWarm = outcome.last
                watch.countingBegins()
            } else if isWarm {
                outcome.lastWarm = outcome.last + 1
            }
            if !isWarm, now - intended > 1_000_000 { outcome.late += 1 }
            guard try send(sender, intended) else {
                skipUnsent(from: intended)
                break
            }
            if !isWarm, outcome.tally != nil {
                let sent = NanoClock.now
                outcome.tally?.record(sent - intended, bytes: payload.count, at: sent)
            }
        }
        // A message that could not be sent does not belong to the warm-up.
        outcome.lastWarm = min(outcome.lastWarm, outcome.last)
        let stopped = max(min(NanoClock.now, limit), countsFrom + 1)
        outcome.seconds = Double(stopped - countsFrom) / 1e9
        outcome.busy = max(0, 1 - Double(idle) / Double(stopped - countsFrom))
        outcome.tally?.turn(to: stopped)
    }

    /// What was meant to be sent before the end is still sent when the generator is behind.
    private var limit: UInt64 { schedule == nil || end == .max ? end : end + LoadShape.grace }

    /// Counts what was not sent from this time on.
    private mutating func skipUnsent(from time: UInt64) {
        guard schedule != nil, end < .max, !watch.stop.isAsked else { return }
        var intended = time
        while intended < end {
            if intended >= countsFrom { outcome.skipped += 1 }
            guard let time = schedule?.next() else { return }
            intended = begun + time
        }
    }

    /// - Returns: whether the socket accepted it before the end.
    private mutating func send(_ sender: some StreamSender, _ intended: UInt64) throws(ZeroMQError) -> Bool {
        outcome.last += 1
        Payload.write(outcome.last, intended, tag: tag, into: &payload)
        let since = NanoClock.now
        while try !sender.send(payload) {
            let now = NanoClock.now
            outcome.isBlocked = now - since > patience
            guard now < limit, !outcome.isBlocked, !watch.stop.isAsked else {
                outcome.last -= 1
                return false
            }
            // The queue is full. Spinning would take the processor from the other end.
            NanoClock.sleep(20_000)
            if now >= countsFrom { idle += NanoClock.now - now }
        }
        return true
    }

    /// Sleeps as long as that is safe, and spins the rest, as ``RequestGenerator`` does.
    private mutating func wait(until time: UInt64) {
        let from = NanoClock.now
        while true {
            let now = NanoClock.now
            guard now < time else { break }
            if time - now > RequestGenerator.spin {
                NanoClock.sleep(min(time - now - RequestGenerator.spin, 50_000_000))
            }
            if watch.stop.isAsked { break }
        }
        if from >= countsFrom { idle += NanoClock.now - from }
    }
}
