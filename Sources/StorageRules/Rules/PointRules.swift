// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

/// Points for the track of one landmark, checked as far as that needs no clock.
package struct PointBatch: Hashable, Sendable {
    /// The landmark; nil for that of the grant.
    var landmark: Landmark.ID?
    /// The digest of a grant's secret; nil for the caller's own landmark.
    var grant: [UInt8]?
    var points: [TrackPoint]
    /// The number of points without a valid position or time.
    var refused: Int

    init(_ wire: WireAddPoints) throws(InvalidInput) {
        guard wire.landmark.isEmpty != wire.grant.isEmpty else { throw .missing("either a landmark or a grant") }
        guard (1...PointRules.mostOfBatch).contains(wire.points.count) else {
            throw .outOfRange("number of points", "from 1 to 1,000")
        }
        landmark = wire.landmark.isEmpty ? nil : try UUIDv7(wire: wire.landmark, "the landmark's id")
        grant = wire.grant.isEmpty ? nil : try GrantRules.digest(wire.grant)
        points = wire.points.compactMap { try? TrackPoint($0) }
        refused = wire.points.count - points.count
    }
}

/// Which points of tracks to erase for good.
package struct TrackErasure: Hashable, Sendable {
    /// The landmark; nil for all of the caller's.
    var landmark: Landmark.ID?
    /// The time before which the points are, in Unix milliseconds.
    var before: UInt64
    /// The key of the landmark after which to begin.
    var after: UInt64

    init(_ wire: WireEraseTrack) throws(InvalidInput) {
        landmark = wire.landmark.isEmpty ? nil : try UUIDv7(wire: wire.landmark, "the landmark's id")
        before = wire.before == 0 ? .max >> 1 : try UnixTime.checked(wire.before, "time of the points")
        after = wire.after.isEmpty ? 0 : try UUIDv7(wire: wire.after, "the landmark after which to go on").high
        guard after <= .max >> 1 else { throw .missing("an id of a landmark") }
    }
}

/// The rules for points of tracks.
package final class PointRules {
    static let mostOfBatch = 1_000
    /// The most points of a track, and how many of them may be added before they are counted again.
    private let (most, uncounted): (Int, Int)
    /// 1 January 2000, the earliest time of a point in Unix milliseconds.
    private static let earliest: UInt64 = 946_684_800_000
    /// The most tracks that one request looks through.
    private static let mostTracks = 1_000

    private let tracks: any TrackTable
    private let changes: any ChangeTable
    /// The points that were added to each track since they were counted. A rollback makes the numbers too large, which
    /// only counts a track sooner.
    private var added: [UInt64: Int] = [:]

    init(_ tables: WriterTables, most: Int = 1_000_000, uncounted: Int = 10_000) {
        (tracks, changes, self.most, self.uncounted) = (tables.tracks, tables.changes, most, uncounted)
    }

    /// Returns the latest time of a point. The clock of a phone may be wrong, and so may that of this machine. A track
    /// may have later points from before a clock was corrected: they hold nobody up.
    package static func latest(_ now: UInt64) -> UInt64 { min(now, UnixTime.latest) + 86_400_000 }

    static func isPossible(_ point: TrackPoint, now: UInt64) -> Bool {
        // No range: the clock of a machine may be before the earliest time.
        point.at >= earliest && point.at <= latest(now)
    }

    /// Stores points, and now and then deletes the oldest ones of a track that has too many.
    func store(_ points: [TrackPoint], of landmark: UInt64, now: UInt64) throws {
        for point in points { try tracks.store(point, of: landmark, now: now) }
        if added.count > 100_000 { added = [:] }
        added[landmark, default: 0] += points.count
        guard added[landmark, default: 0] >= uncounted else { return }
        added[landmark] = nil
        let surplus = try tracks.count(of: landmark) - most
        if surplus > 0 { _ = try tracks.delete(of: landmark, before: .max, limit: min(surplus, 2 * uncounted)) }
    }

    /// Erases points of tracks that belong to the caller, at most as many as a sweep deletes.
    func erase(_ erasure: TrackErasure, by caller: Caller) throws -> WireReply {
        try caller.require(.move)
        var (erased, last) = (0, erasure.after)
        let start = erasure.landmark.map { $0.high - min($0.high, 1) } ?? erasure.after
        let found = try tracks.tracks(after: start, limit: erasure.landmark == nil ? Self.mostTracks : 1)
        var isWhole = erasure.landmark != nil || found.count < Self.mostTracks
        for (key, record) in found {
            // A removed landmark may be restored with its track.
            let landmark =
                try record.map { try StoredLandmark(record: $0).landmark }
                ?? changes.lastRemoval(of: UUIDv7(high: key, low: 0))?.landmark
            if let wanted = erasure.landmark {
                guard let landmark, landmark.id == wanted else { break }
                guard caller.owns(landmark) else { throw Refusal.notTheirTrack }
            } else if landmark.map(caller.owns) != true {
                last = key
                continue
            }
            let limit = TrackSweep.mostPoints - erased
            let count = try tracks.delete(of: key, before: erasure.before, limit: limit)
            erased += count
            guard count < limit else {
                isWhole = false
                break
            }
            last = key
        }
        return .with {
            $0.trackErased.points = UInt64(erased)
            if !isWhole, erasure.landmark == nil { $0.trackErased.next = UUIDv7(high: last, low: 0).wire }
        }
    }
}

extension Caller {
    /// Whether the landmark is the caller's own; without accounts, whether it was added under the caller's name.
    func owns(_ landmark: Landmark) -> Bool {
        number > 0 ? landmark.account == number : landmark.account == 0 && !user.isEmpty && landmark.user == user
    }
}

extension PointRules {
    /// Adds points to a track. One that is newer than all moves the landmark, with one revision for the whole batch.
    func add(_ batch: PointBatch, by caller: Caller, now: UInt64, in runner: CommandRunner) throws -> WireReply {
        try caller.require(.addPoints)
        var (grant, actor) = (WireGrant?.none, caller)
        if let digest = batch.grant {
            try caller.require(.useGrants)
            let (found, owner) = try runner.grants.usable(digest, .move, now: now)
            (grant, actor) = (found, owner)
        }
        guard let id = batch.landmark ?? grant.flatMap({ UUIDv7(bytes: $0.landmark) }) else { throw Refusal.noLandmark }
        let user = try Refusal.user(actor.user)
        let before = try runner.landmarks.find(id, for: .move, by: actor)
        // A grant of a claimed name has no power over an account's landmark.
        guard grant == nil || actor.number > 0 || before.landmark.account == 0 else { throw Refusal.grantEnded }
        let possible = batch.points.filter { Self.isPossible($0, now: now) }
        var known = try tracks.known(possible.map(\.at), of: id.high)
        var fresh = possible.filter { known.insert($0.at).inserted }.sorted { $0.at < $1.at }
        var landmark = before.landmark
        let newest = try tracks.newest(of: id.high, upTo: Self.latest(now))
        var moves = false
        if let last = fresh.last, newest.map({ $0 < last.at }) ?? true {
            landmark.coordinate = last.coordinate
            landmark = try runner.write(landmark, .changed, before: before, user: user, now: now)
            moves = true
        }
        for place in fresh.indices { fresh[place].rev = landmark.rev }
        try store(fresh, of: id.high, now: now)
        if var grant, !fresh.isEmpty || now - min(now, grant.used) >= 60_000 {
            (grant.points, grant.used) = (grant.points + UInt64(fresh.count), now)
            try runner.tables.grants.update(grant)
        }
        return .with {
            $0.pointsAdded = .with {
                ($0.landmark, $0.added) = (id.wire, UInt32(fresh.count))
                $0.known = UInt32(possible.count - fresh.count)
                $0.refused = UInt32(batch.refused + batch.points.count - possible.count)
                $0.rev = moves ? landmark.rev : 0
            }
        }
    }
}
