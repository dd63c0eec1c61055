// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Geodesy
public import Landmarks
import SwiftProtobuf
public import WaymarkProtocol
internal import WaymarkTransport

extension WaymarkClient {
    /// The landmarks nearest to `coordinate`, in true order of distance, ties by id.
    ///
    /// - Parameters:
    ///   - limit: 1 to 1,000 landmarks.
    ///   - radius: the greatest distance in metres, inclusive.
    ///   - minDistance: the least distance in metres, inclusive.
    ///   - rank: the order; by prominence a radius of up to 48,280 m is required.
    ///   - opening: tells of each whether it is open. A page has at most 200 rows then.
    ///   - after: the cursor of the previous page.
    ///   - atLeast: the answer must reflect this position or a later one.
    public func near(
        _ coordinate: Coordinate, limit: Int = 20, radius: Double? = nil, minDistance: Double? = nil,
        rank: NearRank = .distance, filter: LandmarkFilter = LandmarkFilter(), opening: OpeningQuestion? = nil,
        after: Data? = nil, atLeast: Position? = nil
    ) async throws(ClientError) -> HitPage {
        var request = WireRequest()
        request.near = .with {
            $0.lat = coordinate.latitude
            $0.lng = coordinate.longitude
            $0.limit = UInt32(clamping: limit)
            if let radius { $0.radiusM = radius }
            if let minDistance { $0.minDistanceM = minDistance }
            $0.filter = WireFilter(filter)
            $0.after = after ?? Data()
            if rank == .prominence { $0.rank = .byProminence }
            if let opening { $0.opening = opening.wire }
        }
        return try await hits(request, atLeast: atLeast, opening)
    }

    /// All landmarks, a page at a time.
    ///
    /// - Parameter near: the place that distances are measured from, if `order` is by distance.
    public func list(
        _ order: WireList.Order, near: Coordinate? = nil, limit: Int = 100, filter: LandmarkFilter = LandmarkFilter(),
        opening: OpeningQuestion? = nil, after: Data? = nil, atLeast: Position? = nil
    ) async throws(ClientError) -> HitPage {
        var request = WireRequest()
        request.list = .with {
            $0.order = order
            $0.limit = UInt32(clamping: limit)
            $0.filter = WireFilter(filter)
            $0.after = after ?? Data()
            if let near {
                $0.lat = near.latitude
                $0.lng = near.longitude
            }
            if let opening { $0.opening = opening.wire }
        }
        return try await hits(request, atLeast: atLeast, opening)
    }

    /// The landmarks whose name, user or notes contain every word of `text`, as a whole word or as the beginning of
    /// one.
    ///
    /// - Parameters:
    ///   - near: if given, matches come nearest first; otherwise best match first.
    ///   - atLeast: the answer must reflect this position or a later one. The text search follows the writes about a
    ///     quarter of a second later, or at once where somebody waits for it like this.
    ///   - timeout: nil stands for the client's time limit.
    public func search(
        _ text: String, near: Coordinate? = nil, limit: Int = 20, filter: LandmarkFilter = LandmarkFilter(),
        atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> HitPage {
        var request = WireRequest()
        request.search = .with {
            $0.text = text
            $0.limit = UInt32(clamping: limit)
            $0.filter = WireFilter(filter)
            if let near { $0.near = WirePoint(near) }
        }
        return try await hits(request, atLeast: atLeast, timeout: timeout)
    }

    /// One landmark, its notes and its history.
    public func show(_ id: Landmark.ID, history: Int = 100) async throws(ClientError) -> LandmarkHistory {
        var request = WireRequest()
        request.show = .with {
            $0.id = id.wire
            $0.historyLimit = UInt32(clamping: history)
        }
        guard case .shown(let shown)? = try await sendReady(request).1.result else { throw .unreadableAnswer("show") }
        let entries = shown.history.compactMap { entry in
            WireChange.Operation(rawValue: Int(entry.operation)).flatMap { Change.Operation($0) }.map {
                LandmarkHistory.Entry(
                    rev: entry.rev, at: entry.at, operation: $0, user: entry.user, version: entry.version)
            }
        }
        return LandmarkHistory(landmark: try landmark(shown.landmark), entries: entries, isCut: shown.historyCut)
    }

    /// Metres and bearing between two landmarks or points.
    public func distance(from: PlaceReference, to: PlaceReference) async throws(ClientError) -> Separation {
        var request = WireRequest()
        request.distance = .with {
            $0.from = from.wire
            $0.to = to.wire
        }
        guard case .separation(let separation)? = try await send(request).1.result else {
            throw .unreadableAnswer("distance")
        }
        return Separation(
            distance: separation.distanceM, bearing: separation.bearingDeg,
            from: separation.hasFrom ? try landmark(separation.from.encoded) : nil,
            to: separation.hasTo ? try landmark(separation.to.encoded) : nil)
    }

    /// The sources that are fetched, and the state of each.
    public func sources() async throws(ClientError) -> [WireSourceState] {
        var request = WireRequest()
        request.sources = WireSources()
        guard case .sources(let list)? = try await send(request).1.result else { throw .unreadableAnswer("sources") }
        return list.sources
    }

    /// The state of both services.
    public func status() async throws(ClientError) -> WireStatusReport {
        var request = WireRequest()
        request.status = WireStatus()
        guard case .status(let report)? = try await send(request).1.result else { throw .unreadableAnswer("status") }
        return report
    }

    /// A page of the change log.
    ///
    /// - Returns: the changes after `position`, the position through which the log was read, and the newest revision.
    public func changes(
        after position: Position, matching filter: FeedFilter = .everything, limit: Int = 1_000
    ) async throws(ClientError) -> (changes: [FeedChange], through: Position, head: UInt64) {
        let page = try await changesPage(after: position, matching: filter, limit: limit)
        var changes: [FeedChange] = []
        for (rev, message) in page.changes {
            do throws(InvalidInput) {
                let change = try Change(encoded: message.change.bytes)
                // Without a filter the page has no operations of its own.
                let operation = message.operation ?? FeedOperation(change.operation)
                let here = Position(epoch: position.epoch, rev: rev, run: page.run)
                changes.append(FeedChange(change, as: operation, at: here))
            } catch {
                throw .unreadableAnswer(error.description)
            }
        }
        return (changes, Position(epoch: position.epoch, rev: page.through, run: page.run), page.head)
    }

    /// - Parameter wait: the milliseconds that the answer may wait for a change.
    func changesPage(
        after position: Position, matching filter: FeedFilter, limit: Int, wait: UInt32 = 0
    ) async throws(ClientError) -> PulledPage {
        var request = WireRequest()
        request.changes = .with {
            $0.since = position.wire
            $0.limit = UInt32(clamping: limit)
            $0.waitMs = wait
            if !filter.isEmpty { $0.filter = filter.wire }
        }
        let (_, body) = try await sendEncoded(request)
        guard let page = PulledPage(encoded: body) else { throw .unreadableAnswer("changes") }
        return page
    }

    private func hits(
        _ request: WireRequest, atLeast: Position?, _ opening: OpeningQuestion? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> HitPage {
        let (standing, reply) = try await sendReady(request, atLeast: atLeast, timeout: timeout)
        guard case .hits(let wire)? = reply.result, let standing else { throw .unreadableAnswer("hits") }
        // A service of an earlier release would give all landmarks, open or not.
        if opening?.isFilter == true, wire.openingAt == 0 {
            throw .unreadableAnswer("the service knows no opening hours")
        }
        guard wire.openingAt <= UnixTime.latest else { throw .unreadableAnswer("the moment of the hours") }
        var hits: [Hit] = []
        hits.reserveCapacity(wire.hits.count)
        for hit in wire.hits {
            hits.append(
                Hit(
                    landmark: try landmark(hit.landmark), distance: hit.hasDistanceM ? hit.distanceM : nil,
                    bearing: hit.hasBearingDeg ? hit.bearingDeg : nil,
                    opening: hit.hasOpening ? try Opening(encoded: hit.opening) : nil))
        }
        return HitPage(
            hits: hits, cursor: wire.cursor.isEmpty ? nil : wire.cursor,
            openingAt: wire.openingAt == 0 ? nil : wire.openingAt, isTruncated: wire.truncated,
            standing: standing)
    }

    private func landmark(_ encoded: some ContiguousBytes) throws(ClientError) -> Landmark {
        do { return try Landmark(encoded: encoded) } catch { throw .unreadableAnswer(error.description) }
    }
}

extension Opening {
    /// More seconds than any zone is away from universal time.
    private static let farthest: Int32 = 2 * 86_400

    fileprivate init(encoded bytes: Data) throws(ClientError) {
        guard let wire = try? WireOpening(serializedBytes: bytes) else { throw .unreadableAnswer("opening hours") }
        try self.init(wire)
    }

    init(_ wire: WireOpening) throws(ClientError) {
        guard wire.until <= UnixTime.latest, -Self.farthest...Self.farthest ~= wire.offset else {
            throw .unreadableAnswer("opening hours")
        }
        let state: State =
            switch wire.state {
            case .open: .open
            case .closed: .closed
            case .unknown, .UNRECOGNIZED: .unknown
            }
        self.init(
            state, until: wire.until == 0 ? nil : wire.until, offset: Int(wire.offset),
            zone: wire.zone.isEmpty ? nil : wire.zone, isZoneAssumed: wire.zoneAssumed,
            comment: wire.comment.isEmpty ? nil : wire.comment)
    }
}

/// A landmark by its id, or a place by its coordinate.
public enum PlaceReference: Sendable, Hashable {
    case landmark(Landmark.ID)
    case point(Coordinate)

    var wire: WirePlace {
        .with {
            switch self {
            case .landmark(let id): $0.landmark = id.wire
            case .point(let coordinate): $0.point = WirePoint(coordinate)
            }
        }
    }
}
