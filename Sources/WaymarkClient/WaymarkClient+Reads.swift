// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Geodesy
import WaymarkProtocol
internal import WaymarkTransport

extension WaymarkClient {
    /// The landmarks nearest to `coordinate`, in true order of distance, ties by id.
    ///
    /// - Parameters:
    ///   - limit: 1 to 1,000 landmarks.
    ///   - radius: the greatest distance in metres, inclusive.
    ///   - minDistance: the least distance in metres, inclusive.
    ///   - rank: the order; by prominence a radius of up to 48,280 m is required.
    ///   - opening: asks whether each landmark is open. A page then has at most 200 rows.
    ///   - after: the cursor of the previous page.
    ///   - atLeast: the answer must reflect this position or a later one.
    public func near(
        _ coordinate: Coordinate, limit: Int = 20, radius: Double? = nil, minDistance: Double? = nil,
        rank: NearRank = .distance, filter: LandmarkFilter = LandmarkFilter(), opening: OpeningQuestion? = nil,
        after: Data? = nil, atLeast: Position? = nil
    ) async throws(ClientError) -> HitPage {
        let near = WireNear.with {
            ($0.lat, $0.lng, $0.limit) = (coordinate.latitude, coordinate.longitude, UInt32(clamping: limit))
            if let radius { $0.radiusM = radius }
            if let minDistance { $0.minDistanceM = minDistance }
            ($0.filter, $0.after) = (WireFilter(filter), after ?? Data())
            if rank == .prominence { $0.rank = .byProminence }
            if let opening { $0.opening = opening.wire }
        }
        return try await hits(.with { $0.near = near }, atLeast: atLeast)
    }

    /// All landmarks, one page at a time.
    ///
    /// - Parameter near: the place from which distances are measured, if `order` is by distance.
    public func list(
        _ order: ListOrder, near: Coordinate? = nil, limit: Int = 100, filter: LandmarkFilter = LandmarkFilter(),
        opening: OpeningQuestion? = nil, after: Data? = nil, atLeast: Position? = nil
    ) async throws(ClientError) -> HitPage {
        let list = WireList.with {
            ($0.order, $0.limit) = (order.wire, UInt32(clamping: limit))
            ($0.filter, $0.after) = (WireFilter(filter), after ?? Data())
            if let near { ($0.lat, $0.lng) = (near.latitude, near.longitude) }
            if let opening { $0.opening = opening.wire }
        }
        return try await hits(.with { $0.list = list }, atLeast: atLeast)
    }

    /// The landmarks whose name, user or notes contain every word of `text`, as a whole word or as the beginning of
    /// one.
    ///
    /// - Parameters:
    ///   - near: if given, matches come nearest first; otherwise best match first.
    ///   - atLeast: the answer must reflect this position or a later one. The text search follows the writes about a
    ///     quarter of a second later, or at once if a request waits for it like this.
    ///   - timeout: nil stands for the client's time limit.
    public func search(
        _ text: String, near: Coordinate? = nil, limit: Int = 20, filter: LandmarkFilter = LandmarkFilter(),
        atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> HitPage {
        let search = WireSearch.with {
            ($0.text, $0.limit, $0.filter) = (text, UInt32(clamping: limit), WireFilter(filter))
            if let near { $0.near = WirePoint(near) }
        }
        return try await hits(.with { $0.search = search }, atLeast: atLeast, timeout: timeout)
    }

    /// One landmark with its notes and its history.
    public func show(_ id: Landmark.ID, history: Int = 100) async throws(ClientError) -> LandmarkHistory {
        let show = WireShow.with { ($0.id, $0.historyLimit) = (id.wire, UInt32(clamping: history)) }
        return try await ask(.with { $0.show = show }, \.shown) { (shown) throws(InvalidInput) in
            try LandmarkHistory(shown)
        }
    }

    /// The distance in metres and the bearing between two landmarks or points.
    public func distance(from: PlaceReference, to: PlaceReference) async throws(ClientError) -> Separation {
        let distance = WireDistance.with { ($0.from, $0.to) = (from.wire, to.wire) }
        return try await ask(.with { $0.distance = distance }, \.separation) { (wire) throws(InvalidInput) in
            Separation(
                distance: wire.distanceM, bearing: wire.bearingDeg,
                from: wire.hasFrom ? try Landmark(wire.from) : nil, to: wire.hasTo ? try Landmark(wire.to) : nil)
        }
    }

    /// The state of both services.
    public func status() async throws(ClientError) -> StatusReport {
        try await ask(.with { $0.status = WireStatus() }, \.status) { StatusReport($0) }
    }

    /// A page of the change log.
    ///
    /// - Returns: the changes after `position`, the position through which the log was read, and the newest revision.
    public func changes(
        after position: Position, matching filter: FeedFilter = .everything, limit: Int = 1_000
    ) async throws(ClientError) -> (changes: [FeedChange], through: Position, head: UInt64) {
        let page = try await changesPage(after: position, matching: filter, limit: limit)
        let through = Position(epoch: position.epoch, rev: page.through, run: page.run)
        return (try page.told(to: filter, in: through), through, page.head)
    }

    /// - Parameter wait: the milliseconds that the answer may wait for a change.
    func changesPage(
        after position: Position, matching filter: FeedFilter, limit: Int, wait: UInt32 = 0
    ) async throws(ClientError) -> PulledPage {
        let changes = WireChanges.with {
            ($0.since, $0.limit, $0.waitMs) = (position.wire, UInt32(clamping: limit), wait)
            if !filter.isEmpty { $0.filter = filter.wire }
        }
        let wire = try await answer(to: .with { $0.changes = changes }, \WireRawReply.changes).part
        guard let page = PulledPage(wire) else { throw .unreadableAnswer("changes") }
        return page
    }

    private func hits(
        _ request: WireRequest, atLeast: Position?, timeout: Duration? = nil
    ) async throws(ClientError) -> HitPage {
        let (wire, freshness) = try await answer(
            to: request, \WireRawReply.hits, "hits", atLeast: atLeast, timeout: timeout)
        guard let freshness else { throw .unreadableAnswer("hits") }
        return try HitPage(wire, freshness)
    }
}

extension PulledPage {
    /// - Parameter history: a position in the changes' history.
    fileprivate func told(to filter: FeedFilter, in history: Position) throws(ClientError) -> [FeedChange] {
        // Without a filter the page has no operations of its own.
        guard filter.isEmpty || changes.allSatisfy({ $0.payload.operation != nil }) else {
            throw .unreadableAnswer("a page of changes")
        }
        return try ClientError.reading { () throws(InvalidInput) in
            try changes.map { (item) throws(InvalidInput) -> FeedChange in
                let change = try Change(encoded: item.payload.change.bytes)
                let here = Position(epoch: history.epoch, rev: item.rev, run: history.run)
                return FeedChange(change, as: item.payload.operation ?? FeedOperation(change.operation), at: here)
            }
        }
    }
}
