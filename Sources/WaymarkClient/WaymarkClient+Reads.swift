// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Geodesy
import WaymarkProtocol
internal import WaymarkTransport

extension WaymarkClient {
    /// Returns the landmarks nearest to `coordinate`, by true distance, and by id at equal distance.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of landmarks, 1 to 1,000.
    ///   - radius: the maximum distance in metres, inclusive.
    ///   - minDistance: the minimum distance in metres, inclusive.
    ///   - rank: the order. The order by prominence requires a radius of up to 48,280 m.
    ///   - opening: asks whether each landmark is open. A page then has at most 200 rows.
    ///   - after: the cursor of the previous page.
    ///   - atLeast: the answer must reflect this position or a later one.
    public func near(
        _ coordinate: Coordinate, limit: Int = 20, radius: Double? = nil, minDistance: Double? = nil,
        rank: NearRank = .distance, filter: LandmarkFilter = LandmarkFilter(), opening: OpeningQuestion? = nil,
        after: Data? = nil, atLeast: Position? = nil
    ) async throws(ClientError) -> HitPage {
        // Without the generated code, because this is by far the most frequent request.
        var near = WireWriter(expecting: 64)
        near.double(NearField.lat, coordinate.latitude)
        near.double(NearField.lng, coordinate.longitude)
        near.number(NearField.limit, UInt64(UInt32(clamping: limit)))
        near.optional(NearField.radiusM, radius)
        near.optional(NearField.minDistanceM, minDistance)
        if !filter.isEmpty { near.message(NearField.filter, WireFilter(filter).encoded) }
        if let after, !after.isEmpty { near.message(NearField.after, [UInt8](after)) }
        if let opening { near.message(NearField.opening, opening.wire.encoded) }
        if rank == .prominence { near.number(NearField.rank, UInt64(WireNear.Rank.byProminence.rawValue)) }
        return try await HitPage(asking: self, EncodedRequest(reading: .near, near), atLeast: atLeast)
    }

    /// Returns all landmarks that match the filter, one page at a time.
    ///
    /// - Parameter near: the place from which distances are measured. Needed if `order` is by distance.
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
        return try await HitPage(asking: self, EncodedRequest(.with { $0.list = list }), atLeast: atLeast)
    }

    /// Returns the landmarks whose name, user or notes contain every word of `text`, as a word or the beginning of one.
    ///
    /// - Parameters:
    ///   - near: if given, nearer matches come first; otherwise better matches come first.
    ///   - atLeast: the answer must reflect this position or a later one. The text search usually includes a write
    ///     after about a quarter of a second, but at once if a request waits for it like this.
    ///   - timeout: the time limit; nil for the client's time limit.
    public func search(
        _ text: String, near: Coordinate? = nil, limit: Int = 20, filter: LandmarkFilter = LandmarkFilter(),
        atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> HitPage {
        let search = WireSearch.with {
            ($0.text, $0.limit, $0.filter) = (text, UInt32(clamping: limit), WireFilter(filter))
            if let near { $0.near = WirePoint(near) }
        }
        let request = EncodedRequest(.with { $0.search = search })
        return try await HitPage(asking: self, request, atLeast: atLeast, timeout: timeout)
    }

    /// Returns a landmark with its notes and its history.
    public func show(_ id: Landmark.ID, history: Int = 100) async throws(ClientError) -> LandmarkHistory {
        let show = WireShow.with { ($0.id, $0.historyLimit) = (id.wire, UInt32(clamping: history)) }
        return try await ask(.with { $0.show = show }, \.shown, read: LandmarkHistory.init)
    }

    /// Returns the distance in metres and the bearing between two landmarks or points.
    public func distance(from: PlaceReference, to: PlaceReference) async throws(ClientError) -> Separation {
        let distance = WireDistance.with { ($0.from, $0.to) = (from.wire, to.wire) }
        return try await ask(.with { $0.distance = distance }, \.separation) { (wire) throws(InvalidInput) in
            Separation(
                distance: wire.distanceM, bearing: wire.bearingDeg,
                from: wire.hasFrom ? try Landmark(wire.from) : nil, to: wire.hasTo ? try Landmark(wire.to) : nil)
        }
    }

    /// Returns the state of both services.
    public func status() async throws(ClientError) -> StatusReport {
        try await ask(.with { $0.status = WireStatus() }, \.status) { StatusReport($0) }
    }

    /// Returns a page of the change log.
    ///
    /// - Returns: the changes after `position`, the position up to which the log was read, and the newest revision.
    public func changes(
        after position: Position, matching filter: FeedFilter = .everything, limit: Int = 1_000
    ) async throws(ClientError) -> (changes: [FeedChange], through: Position, head: UInt64) {
        let page = try await changesPage(after: position, matching: filter, limit: limit)
        let through = Position(epoch: position.epoch, rev: page.through, run: page.run)
        return (try page.told(to: filter, in: through), through, page.head)
    }

    /// - Parameter wait: how many milliseconds the service may delay the answer to wait for a change.
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
}

extension PulledPage {
    /// Returns the changes of this page, which was requested with `filter`.
    ///
    /// - Parameter history: any position in the history of these changes.
    fileprivate func told(to filter: FeedFilter, in history: Position) throws(ClientError) -> [FeedChange] {
        // The service adds operations only to a page with a filter.
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
