// SPDX-License-Identifier: Apache-2.0

/// The times and the counts of one run of any kind, on its generator's thread.
public struct LoadRun {
    let shape: LoadShape
    /// The time on ``NanoClock`` at which the warm-up ends.
    public let countsFrom: UInt64
    /// The time at which the run ends; `.max` if only a count ends it.
    public let end: UInt64
    /// The maximum number of operations that are counted.
    public let most: UInt64
    public internal(set) var tally: Tally
    public private(set) var isCounting = false
    private let watch: LoadWatch
    /// The counts of each kind of operation in a mixed load.
    private var kinds: [(name: String, tally: Tally)]
    /// The counts of each part of the profile. An operation belongs to the part in which it was meant to be sent.
    private var parts: [Tally]
    private let profile: LoadProfile?
    /// Whether there are kinds or parts. Asked for each operation, because the profile itself costs more to look at.
    private let isDivided: Bool
    private var schedule: Schedule?
    let begun: UInt64
    /// The idle time in nanoseconds since counting began.
    var idle: UInt64 = 0

    /// - Parameters:
    ///   - begun: the time on ``NanoClock`` at which the warm-up begins.
    ///   - tells: whether the watch is told the counts of each second, and judges them.
    ///   - kinds: the names of the kinds of operation that are also counted separately.
    public init(
        _ shape: LoadShape, from begun: UInt64, _ watch: LoadWatch = LoadWatch(), tells: Bool = true,
        kinds: [String] = []
    ) {
        (self.shape, self.begun, self.watch, schedule) = (shape, begun, watch, Schedule(shape))
        countsFrom = shape.counting(from: begun)
        (end, most) = shape.limits(countingFrom: countsFrom)
        tally = Tally(from: countsFrom, watch: tells ? watch : nil)
        self.kinds = kinds.map { [countsFrom] in ($0, Tally(from: countsFrom)) }
        profile = shape.profile
        isDivided = profile != nil || !kinds.isEmpty
        // The seconds are counted for the whole load only.
        parts = Array(repeating: Tally(from: .max), count: profile?.parts.count ?? 0)
    }

    var isOpen: Bool { schedule != nil }

    /// The time at which sending ends. For a limited time, operations that were due before the end are still sent.
    var limit: UInt64 { isOpen && end < .max ? end + LoadShape.grace : end }

    /// Returns the next intended time; nil in a closed loop.
    mutating func next() -> UInt64? {
        guard let time = schedule?.next() else { return nil }
        return begun + time
    }

    /// Tells the watch once when the warm-up has ended.
    ///
    /// - Returns: whether it has.
    @discardableResult
    public mutating func begins(at now: UInt64) -> Bool {
        if !isCounting, now >= countsFrom {
            isCounting = true
            watch.countingBegins()
        }
        return isCounting
    }

    /// Counts in the total, in the profile's part of the intended time, and in one kind of operation of a mixed load.
    @inline(__always)
    public mutating func count(_ intended: UInt64, kind: Int = .max, _ body: (inout Tally) -> Void) {
        body(&tally)
        if isDivided { countApart(intended, kind, body) }
    }

    private mutating func countApart(_ intended: UInt64, _ kind: Int, _ body: (inout Tally) -> Void) {
        if kind < kinds.count { body(&kinds[kind].tally) }
        if let profile, intended >= countsFrom { body(&parts[profile.part(at: Double(intended - countsFrom) / 1e9)]) }
    }

    mutating func skip(_ intended: UInt64) { if intended >= countsFrom { count(intended) { $0.skipped += 1 } } }

    /// Counts the operations that were due from `time` until the end as skipped.
    mutating func skipUnsent(from time: UInt64) {
        guard isOpen, end < .max else { return }
        var intended = time
        while intended < end {
            skip(intended)
            guard let next = next() else { return }
            intended = next
        }
    }

    /// Counts the time since then as idle, unless the warm-up had not ended.
    public mutating func hasIdled(since time: UInt64) { if time >= countsFrom { idle += NanoClock.now - time } }

    /// Returns the figures.
    ///
    /// - Parameters:
    ///   - stopped: the time at which sending ended.
    ///   - last: the time of the last answer. The run lasts until then, because answers after the end of sending count,
    ///     too, but a part of a profile only as long as something was sent.
    public mutating func result(sentUntil stopped: UInt64, last: UInt64 = 0) -> LoadResult {
        let stopped = max(stopped, countsFrom + 1)
        let last = max(stopped, last)
        tally.turn(to: last)
        for place in kinds.indices { kinds[place].tally.turn(to: last) }
        let (sending, seconds) = (Double(stopped - countsFrom) / 1e9, Double(last - countsFrom) / 1e9)
        var result = LoadResult(tally, seconds: seconds, rate: shape.rate)
        result.figures.generatorBusy = max(0, 1 - Double(idle) / 1e9 / sending)
        result.parts = kinds.map { LoadResult($0.tally, seconds: seconds, name: $0.name) }
        guard let profile else { return result }
        for (place, part) in profile.parts.enumerated() where part.begin < sending {
            let seconds = min(part.seconds, sending - part.begin)
            let intended = profile.operations(until: part.begin + seconds) - profile.operations(until: part.begin)
            result.parts.append(
                LoadResult(
                    parts[place], seconds: seconds, rate: intended / seconds,
                    name: "[\(place + 1)] \(part.label)", number: place + 1))
        }
        return result
    }
}
