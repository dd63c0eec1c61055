// SPDX-License-Identifier: Apache-2.0

import OpeningHours
import WaymarkProtocol

/// Tells which landmarks are open at the moment of one query.
///
/// Landmarks with the same text in the same time zone share a state, so most of them cost one look-up in a table.
/// Parsing a new text or finding a zone costs more; ``takeCost()`` returns the sum.
final class OpeningHoursEvaluator {
    /// The maximum cost of walking through landmarks in the order of distance: about half a millisecond. Beyond it the
    /// landmarks are scanned in steps.
    private static let patience = 2_048
    private static let mostStates = 2_048
    /// The cost of looking up the time zone of a coordinate, some 30 microseconds, counted in table look-ups.
    private static let lookupCost = 128
    /// The budget of one page for finding the times when landmarks next open or close: 8,000 days searched, about 15
    /// milliseconds. A day counts once for each 16 bytes of the text.
    private static let mostDays = 8_000
    /// The maximum number of rows of a page that tells which landmarks are open.
    static let mostRows = 200

    /// The moment of the query, in Unix milliseconds.
    let at: UInt64
    /// Whether the answer contains only landmarks that are open.
    let isFilter: Bool
    private let cache: OpeningHoursCache
    private var kinds: [Key: OpeningState.Kind] = [:]
    private var days = OpeningHoursEvaluator.mostDays
    private var cost = 0

    private struct Key: Hashable {
        let text: String
        let zone: OpeningHoursCache.Zone?
    }

    init(at: UInt64, isFilter: Bool, _ cache: OpeningHoursCache) {
        (self.at, self.isFilter, self.cache) = (at, isFilter, cache)
    }

    private var instant: Int64 { Int64(at / 1_000) }

    /// Whether the landmark is known to be open.
    func isOpen(_ landmark: UnsafeRawBufferPointer) -> Bool {
        // A text that is too long to be parsed is not put into the cache either.
        guard let details = LandmarkView(landmark), 1...OpeningHours.mostBytes ~= details.openingHours.count,
            let text = WireText.string(details.openingHours)
        else { return false }
        let zone = cache.zone(of: details)
        cost += cache.takeLookups() * Self.lookupCost
        let key = Key(text: text, zone: zone)
        if let known = kinds[key] { return known == .open }
        // Parsing a text and computing its state takes about 0.15 µs for each byte, a table look-up 0.3 µs.
        cost += 4 + text.utf8.count / 2
        let hours = cache.hours(text)
        let kind = hours.flatMap { self.kind($0, zone, details) } ?? OpeningState.Kind.unknown
        if hours?.followsSun != true {
            if kinds.count >= Self.mostStates { kinds.removeAll() }
            kinds[key] = kind
        }
        return kind == .open
    }

    private func kind(
        _ hours: OpeningHours, _ zone: OpeningHoursCache.Zone?, _ details: LandmarkView
    ) -> OpeningState.Kind? {
        if let constant = hours.constant { return constant.kind }
        return zone.map { hours.kind(at: instant, in: place($0, details)) }
    }

    private func place(_ zone: OpeningHoursCache.Zone, _ details: LandmarkView) -> OpeningPlace {
        OpeningPlace(zone: cache.file(zone), latitude: details.lat, longitude: details.lng)
    }

    // MARK: Bounds

    /// Returns the cost since the last call, counted in table look-ups.
    func takeCost() -> Int {
        defer { cost = 0 }
        return cost
    }

    /// Whether the walk has cost so much that it has to become a scan. A walk never resets the cost.
    var isExhausted: Bool { cost > Self.patience }

    // MARK: Answers

    /// Returns the encoded `Opening` of a landmark; nil if the landmark has no opening hours.
    func opening(_ landmark: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let details = LandmarkView(landmark), !details.openingHours.isEmpty else { return nil }
        let zone = cache.zone(of: details)
        let state = state(details, zone)
        let wire = WireOpening.with {
            switch state?.kind {
            case .open: $0.state = .open
            case .closed: $0.state = .closed
            case .unknown, nil: $0.state = .unknown
            }
            if let until = state?.until, until > 0 { $0.until = UInt64(until) * 1_000 }
            if let zone {
                let file = cache.file(zone)
                ($0.zone, $0.zoneAssumed) = (file.name, zone.isAssumed)
                $0.offset = Int32(clamping: file.offset(at: state?.until ?? instant))
            }
            if let comment = state?.comment { $0.comment = comment }
        }
        return try? wire.serializedBytes()
    }

    /// Returns the state of a landmark; nil if its hours are not understood or its time zone is unknown.
    private func state(_ details: LandmarkView, _ zone: OpeningHoursCache.Zone?) -> OpeningState? {
        guard details.openingHours.count <= OpeningHours.mostBytes, let text = WireText.string(details.openingHours),
            let hours = cache.hours(text)
        else { return nil }
        if let constant = hours.constant { return constant }
        guard let zone else { return nil }
        let size = 1 + text.utf8.count / 16
        let (state, looked) = hours.state(at: instant, in: place(zone, details), lookingThrough: days / size)
        days -= looked * size
        return state
    }
}
