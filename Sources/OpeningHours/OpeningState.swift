// SPDX-License-Identifier: Apache-2.0

/// Whether a place is open at a moment, and when that changes.
public struct OpeningState: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case open, closed
        /// The state depends on a holiday, an appointment or something else that is not known.
        case unknown
    }

    public var kind: Kind
    /// The comment that the opening hours give, such as `by appointment`; nil if there is none.
    public var comment: String?
    /// The time at which the kind changes, in seconds since 1970; nil if it does not change within a year.
    public var until: Int64?
}

/// The time zone and the position with which opening hours are read.
public struct OpeningPlace: Sendable {
    public let zone: TimeZoneFile
    let sun: SolarDay

    /// - Parameters:
    ///   - latitude: the latitude in degrees (WGS84), for opening hours that follow the sun.
    ///   - longitude: the longitude in degrees (WGS84).
    public init(zone: TimeZoneFile, latitude: Double, longitude: Double) {
        self.zone = zone
        sun = SolarDay(latitude: latitude, longitude: longitude)
    }

    /// Returns the minutes after local midnight at which an event of the sun happens; nil if it does not on that day.
    func minutes(of event: TimeSpan.Event, on date: CivilDate) -> Int? {
        guard let minutes = sun.minutes(of: event, on: date) else { return nil }
        let instant = Int64(date.days) * 86_400 + Int64(minutes * 60)
        return Int(minutes.rounded()) + zone.offset(at: instant) / 60
    }

    /// Converts a local time to seconds since 1970. If daylight saving skips the time, the result is an hour later; if
    /// the time occurs twice, the result is its first occurrence.
    func instant(_ date: CivilDate, minute: Int) -> Int64 {
        let local = Int64(date.days) * 86_400 + Int64(minute) * 60
        let before = local - Int64(zone.offset(at: local - 86_400))
        let isBefore = before + Int64(zone.offset(at: before)) == local
        return isBefore ? before : local - Int64(zone.offset(at: before))
    }
}

extension OpeningHours {
    /// The number of days to examine for a change. Opening hours that depend only on weekdays repeat after a week.
    private var days: Int {
        let all = rules.allSatisfy { $0.days.isEmpty && !$0.followsSun }
        if all { return 2 }
        let isWeekly = rules.allSatisfy { rule in
            rule.days.dates.isEmpty && rule.days.years.isEmpty && rule.days.weeks.isEmpty && !rule.followsSun
                && rule.days.weekdays.joined().allSatisfy { if case .nth = $0 { false } else { true } }
        }
        return isWeekly ? 9 : 367
    }

    /// Whether the state depends on the position, not only on the time zone.
    public var followsSun: Bool { rules.contains(where: \.followsSun) }

    /// The state if it is always the same because the text names neither days nor times, as in `24/7`; otherwise nil.
    /// Needs no time zone.
    public var constant: OpeningState? {
        guard let rule = rules.first, rules.count == 1, rule.days.isEmpty, rule.times.isEmpty else { return nil }
        return OpeningState(kind: rule.state, comment: rule.comment)
    }

    /// Returns the kind of ``state(at:in:)`` without looking for the next change.
    ///
    /// - Parameter instant: the seconds since 1970.
    public func kind(at instant: Int64, in place: OpeningPlace) -> OpeningState.Kind {
        let (today, minute) = place.zone.local(instant)
        return OpeningDay(self, today, place).part(at: minute).kind
    }

    /// - Parameter instant: the seconds since 1970.
    public func state(at instant: Int64, in place: OpeningPlace) -> OpeningState {
        state(at: instant, in: place, lookingThrough: .max).state
    }

    /// - Parameter most: the maximum number of days to examine for the next change; the present day is always examined.
    /// - Returns: the state, and the number of days that were examined.
    public func state(
        at instant: Int64, in place: OpeningPlace, lookingThrough most: Int
    ) -> (state: OpeningState, days: Int) {
        let (today, minute) = place.zone.local(instant)
        var day = OpeningDay(self, today, place)
        let now = day.part(at: minute)
        var state = OpeningState(kind: now.kind, comment: now.comment)
        var from = minute
        let days = max(1, min(days, most))
        for count in 0..<days {
            if count > 0 { day = OpeningDay(self, today.adding(count), place) }
            if let change = day.bounds.first(where: { $0 > from && day.part(at: $0).kind != now.kind }) {
                state.until = place.instant(day.date, minute: change)
                return (state, count + 1)
            }
            from = -1
        }
        return (state, days)
    }
}

/// The states of one day, as far as they are known without a calendar of holidays.
private struct OpeningDay {
    let date: CivilDate
    private let ordinary: DaySchedule
    /// The schedules of the day if it is a holiday, one for each possible set of kinds of holiday.
    private let others: [DaySchedule]

    init(_ hours: OpeningHours, _ date: CivilDate, _ place: OpeningPlace) {
        let sun = { (date: CivilDate, event: TimeSpan.Event) in place.minutes(of: event, on: date) }
        self.date = date
        ordinary = hours.schedule(of: date, holidays: [], sun: sun)
        others = hours.holidays.combinations.map { hours.schedule(of: date, holidays: $0, sun: sun) }
    }

    /// The minutes at which a span begins or ends, in order.
    var bounds: [Int] {
        let spans = ordinary.spans + others.flatMap(\.spans)
        let minutes = spans.flatMap { [$0.minutes.lowerBound, $0.minutes.upperBound] }
        return Set(minutes + [0]).filter { $0 < 1_440 }.sorted()
    }

    func part(at minute: Int) -> (kind: OpeningState.Kind, comment: String?) {
        let usual = ordinary.span(at: minute)
        let kind = usual?.state ?? .closed
        let other = others.lazy.compactMap { $0.span(at: minute) }.first { $0.state != .closed }
        if kind == .closed, let other { return (.unknown, other.comment) }
        return (kind, usual?.comment)
    }
}
