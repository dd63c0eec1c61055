// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
import WaymarkProtocol
public import ZeroMQ

/// The result of adding points.
public struct PointsAdded: Sendable, Hashable {
    public var landmark: Landmark.ID
    public var added: Int
    /// The number of points for whose time the track has one already.
    public var known: Int
    /// The number of points without a valid time or position.
    public var refused: Int
    /// The revision that moved the landmark; nil if it stays.
    public var rev: UInt64?

    init?(_ wire: WirePointsAdded) {
        guard let id = Landmark.ID(bytes: wire.landmark) else { return nil }
        (landmark, added, known) = (id, Int(wire.added), Int(wire.known))
        (refused, rev) = (Int(wire.refused), wire.rev == 0 ? nil : wire.rev)
    }
}

/// A page of a landmark's track.
public struct TrackPage: Sendable, Hashable {
    /// The points in the order of their times.
    public var points: [TrackPoint]
    /// The time after which the next page begins, in Unix milliseconds; nil on the last page.
    public var next: UInt64?

    init?(_ wire: WireTrackPage, after time: UInt64) {
        // Refuse a page that does not advance, because the client would ask forever.
        guard wire.next == 0 || wire.next > time, let points = try? wire.points.map({ point in try TrackPoint(point) })
        else { return nil }
        (self.points, next) = (points, wire.next == 0 ? nil : wire.next)
    }
}

/// The requests of a client about tracks.
public struct TrackRequests: Sendable {
    let client: WaymarkClient

    /// Returns a page of a landmark's track, which consists of the places to which the landmark was moved. A page may
    /// be empty although there are more pages.
    ///
    /// - Parameters:
    ///   - since: returns only points of this time or later, in Unix milliseconds.
    ///   - time: returns only points after this time, which is ``TrackPage/next`` of the previous page.
    ///   - limit: the maximum number of points, 1 to 10,000.
    public func page(
        of id: Landmark.ID, since: UInt64 = 0, after time: UInt64 = 0, limit: Int = 1_000
    ) async throws(ClientError) -> TrackPage {
        let track = WireTrack.with {
            ($0.id, $0.since, $0.after, $0.limit) = (id.wire, since, time, UInt32(clamping: limit))
        }
        return try await client.ask(.with { $0.track = track }, \.track) { TrackPage($0, after: time) }
    }

    /// Adds points to the track of a landmark of one's own, in any order. A point newer than all moves the landmark.
    ///
    /// - Parameter points: 1 to 1,000. Their revisions are ignored.
    public func add(_ points: [TrackPoint], to id: Landmark.ID) async throws(ClientError) -> PointsAdded {
        try await add(.with { $0.landmark = id.wire }, points)
    }

    /// Adds points to the track of the landmark of a grant.
    ///
    /// - Parameter grant: the digest of a grant that moves.
    /// - Throws: ``ClientError/refused(_:)`` with the code `key_ended` if there is none, or if it has ended.
    public func add(_ points: [TrackPoint], grant: CurveKey) async throws(ClientError) -> PointsAdded {
        try await add(.with { $0.grant = Data(grant.bytes) }, points)
    }

    private func add(_ target: WireAddPoints, _ points: [TrackPoint]) async throws(ClientError) -> PointsAdded {
        var addition = target
        addition.points = points.map { WireTrackPoint($0) }
        return try await client.ask(.with { $0.addPoints = addition }, \.pointsAdded, "points") { PointsAdded($0) }
    }

    /// Erases points of the caller's own tracks for good.
    ///
    /// - Parameters:
    ///   - id: the landmark; nil for all landmarks of the caller.
    ///   - time: erases only points before this time, in Unix milliseconds; nil to erase all.
    /// - Returns: the number of points.
    public func erase(
        of id: Landmark.ID?, before time: UInt64? = nil
    ) async throws(ClientError) -> UInt64 {
        var erase = WireEraseTrack.with { ($0.landmark, $0.before) = (id?.wire ?? Data(), time ?? 0) }
        var erased: UInt64 = 0
        while true {
            let request = WireRequest.with { $0.eraseTrack = erase }
            let some = try await client.answer(to: request, \WireReply.trackErased, "count").part
            erased &+= some.points
            if some.points == 0, some.next.isEmpty { return erased }
            erase.after = some.next
        }
    }
}
