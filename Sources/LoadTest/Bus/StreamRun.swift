// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// One run of a ``StreamGenerator``, on its thread.
struct StreamRun: ~Copyable {
    let shape: LoadShape
    let generator: StreamGenerator
    let begun: UInt64
    let countsFrom: UInt64
    let end: UInt64
    let most: UInt64
    var schedule: Schedule?
    /// The number of the last message that was sent, and of the last message of the warm-up.
    var last: UInt64 = 0
    var lastWarm: UInt64 = 0
    var isBlocked = false
    var tally: Tally
    var profile: ProfileTally
    var payload: [UInt8]
    var idle: UInt64 = 0

    init(_ size: Int, _ shape: LoadShape, from begun: UInt64, _ generator: StreamGenerator) {
        (self.shape, self.begun, self.generator) = (shape, begun, generator)
        payload = Payload.make(max(size, Payload.fewestTagged))
        countsFrom = shape.counting(from: begun)
        (end, most) = shape.limits(countingFrom: countsFrom)
        schedule = Schedule(shape)
        profile = ProfileTally(shape.profile, from: countsFrom)
        tally = generator.timesSending ? Tally(from: countsFrom, watch: generator.watch) : Tally(from: countsFrom)
    }

    mutating func go(_ sender: some StreamSender) throws(ZeroMQError) -> StreamGenerator.Outcome {
        var isWarm = true
        while last - lastWarm < most, !isAsked {
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
            guard now < limit, !isAsked else {
                skipUnsent(from: intended)
                break
            }
            if isWarm, intended >= countsFrom {
                isWarm = false
                lastWarm = last
                generator.watch.countingBegins()
            } else if isWarm {
                lastWarm = last + 1
            }
            if !isWarm, now - intended > 1_000_000 { count(intended) { $0.late += 1 } }
            guard try send(sender, intended) else {
                skipUnsent(from: intended)
                break
            }
            profile.count(intended) { $0.sent += 1 }
            if !isWarm, generator.timesSending {
                let sent = NanoClock.now
                let bytes = sender.sentBytes ?? payload.count
                count(intended) { $0.record(sent - intended, bytes: bytes, at: sent) }
            }
        }
        // If the last message of the warm-up could not be sent, `lastWarm` is greater than `last`.
        tally.sent = last - min(lastWarm, last)
        let stopped = max(min(NanoClock.now, limit), countsFrom + 1)
        tally.turn(to: stopped)
        var result = LoadResult(tally, seconds: Double(stopped - countsFrom) / 1e9, rate: shape.rate)
        result.figures.generatorBusy = max(0, 1 - Double(idle) / Double(stopped - countsFrom))
        result.parts = profile.results(seconds: result.figures.seconds)
        if isBlocked { result.figures.errors["nobody_receives"] = 1 }
        return StreamGenerator.Outcome(last: last, result: result)
    }

    /// Counts in the total and in the part of the profile to which the intended time belongs.
    private mutating func count(_ intended: UInt64, _ body: (inout Tally) -> Void) {
        body(&tally)
        profile.count(intended, body)
    }

    private var isAsked: Bool { generator.watch.stop.isAsked }

    /// The time at which sending ends. A generator that is behind schedule still sends messages that were due before
    /// the end of the run, for a limited time.
    private var limit: UInt64 { schedule == nil || end == .max ? end : end + LoadShape.grace }

    /// Counts the messages that were due from `time` on as skipped.
    private mutating func skipUnsent(from time: UInt64) {
        guard schedule != nil, end < .max, !isAsked else { return }
        var intended = time
        while intended < end {
            if intended >= countsFrom { count(intended) { $0.skipped += 1 } }
            guard let time = schedule?.next() else { return }
            intended = begun + time
        }
    }

    /// - Returns: whether the socket accepted the message before the end of the run.
    private mutating func send(_ sender: some StreamSender, _ intended: UInt64) throws(ZeroMQError) -> Bool {
        last += 1
        Payload.write(last, intended, tag: generator.tag, into: &payload)
        let since = NanoClock.now
        while try !sender.send(payload) {
            let now = NanoClock.now
            isBlocked = now - since > generator.patience
            guard now < limit, !isBlocked, !isAsked else {
                last -= 1
                return false
            }
            // The queue is full. Sleep, because spinning would take processor time from the receiver.
            NanoClock.sleep(20_000)
            if now >= countsFrom { idle += NanoClock.now - now }
        }
        return true
    }

    /// Sleeps as long as that is safe and spins for the rest, as ``RequestGenerator`` does.
    private mutating func wait(until time: UInt64) {
        let from = NanoClock.now
        while true {
            let now = NanoClock.now
            guard now < time else { break }
            if time - now > RequestGenerator.spin {
                NanoClock.sleep(min(time - now - RequestGenerator.spin, 50_000_000))
            }
            if isAsked { break }
        }
        if from >= countsFrom { idle += NanoClock.now - from }
    }
}
