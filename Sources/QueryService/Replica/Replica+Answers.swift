// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
internal import Landmarks
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport

/// A place in a query, with the landmark that the query names, if any.
private typealias Place = (coordinate: Coordinate, landmark: WireLandmark?)

extension Replica {
    /// Begins to answer one of the requests that the protocol assigns to the replica.
    func answer(_ command: WireRequest.OneOf_Command) throws(ServiceError) -> any SlowWork {
        switch command {
        case .near(let near): return try self.near(near)
        case .list(let list): return try self.list(list)
        case .tile(let tile): return try self.tile(tile)
        case .distance(let distance): return SlowAnswer.encoded(try self.distance(distance))
        case .countKinds(let asked): return SlowAnswer.encoded(try counts(of: asked.kinds))
        default: throw ServiceError(.unknownCommand, "The replica cannot answer this: ask storage.")
        }
    }

    /// Returns the nearest landmarks, without a filter.
    func near(_ fields: NearFields) throws(ServiceError) -> HitsReply {
        let question = try ServiceError.of { () throws(InvalidInput) in try NearQuestion(fields) }
        let order = Scan.Order.near(question)
        try held.mayAnswer(order)
        // One row more than requested shows whether there is another page.
        guard case .rows(let found) = first(question.limit + 1, order, RecordFilter()) else {
            throw ServiceError(.internal, "A question without a filter was not answered at once.")
        }
        try held.certify(found, question.limit, order)
        return page(found, question.limit, order)
    }

    func near(_ near: WireNear) throws(ServiceError) -> Answering {
        let (end, openings) = try begin(after: near.after, near.hasOpening ? near.opening : nil)
        let filter = try filter(near.filter)
        if near.rank == .byProminence {
            let question = try ServiceError.of { () throws(InvalidInput) in try ProminenceQuestion(near, after: end) }
            return try answering(.prominent(question), filter, question.limit, openings)
        }
        let question = try ServiceError.of { () throws(InvalidInput) in try NearQuestion(NearFields(near), after: end) }
        return try answering(.near(question), filter, question.limit, openings)
    }

    func list(_ list: WireList) throws(ServiceError) -> Answering {
        let (cursor, openings) = try begin(after: list.after, list.hasOpening ? list.opening : nil)
        if list.order == .byDistance {
            let place = NearFields(lat: list.lat, lng: list.lng, limit: list.limit)
            let question = try ServiceError.of { () throws(InvalidInput) in
                try NearQuestion(place, standard: 100, after: cursor)
            }
            return try answering(.near(question), try filter(list.filter), question.limit, openings)
        }
        let limit = try ServiceError.of { () throws(InvalidInput) in try PageLimit.rows(list.limit, standard: 100) }
        let order: Scan.Order =
            switch (list.order, cursor) {
            case (.byRecent, nil): .recent(before: nil)
            case (.byRecent, .recent(let rev)?): .recent(before: rev)
            case (.byName, nil): .named(after: nil)
            case (.byName, .name(let name, let id)?): .named(after: ([UInt8](name.utf8), id))
            default:
                throw ServiceError(.invalid, "The order or the cursor is not for lists: begin at the first page.")
            }
        return try answering(order, try filter(list.filter), limit, openings)
    }

    /// Reads where a page begins, and what tells which landmarks are open; nil for what the query lacks.
    private func begin(
        after encoded: Data, _ opening: WireOpeningQuestion?
    ) throws(ServiceError) -> (end: Cursor?, openings: OpeningHoursEvaluator?) {
        try ServiceError.of { () throws(InvalidInput) in
            let cursor = try encoded.isEmpty ? nil : Cursor(encoded: encoded)
            let openings = try OpeningHoursEvaluator(
                opening, kept: cursor?.parts.moment, isFirst: cursor == nil, now: WallClock.milliseconds, hoursCache)
            return (cursor?.parts.end, openings)
        }
    }

    private func filter(_ wire: WireFilter) throws(ServiceError) -> LandmarkFilter {
        try ServiceError.of { () throws(InvalidInput) in try LandmarkFilter(wire) }
    }

    private func answering(
        _ order: Scan.Order, _ filter: LandmarkFilter, _ asked: Int, _ openings: OpeningHoursEvaluator?
    ) throws(ServiceError) -> Answering {
        let isHeld = held.holds(filter.area)
        if !isHeld { try held.mayAnswer(order) }
        let limit = openings == nil ? asked : min(asked, OpeningHoursEvaluator.mostRows)
        var resolved = orders.resolve(filter)
        if openings?.isFilter == true { resolved?.hours = openings }
        return Answering(
            replica: self, order: order, limit: limit, openings: openings, isHeld: isHeld,
            outcome: resolved.map { first(limit + 1, order, $0) } ?? .rows([]))
    }

    /// - Parameters:
    ///   - found: the rows: one more than `limit` if there is another page.
    ///   - openings: tells for each row whether the landmark is open; nil if the query does not ask.
    func page(
        _ found: [FoundSlot], _ limit: Int, _ order: Scan.Order, _ openings: OpeningHoursEvaluator? = nil
    ) -> HitsReply {
        var reply = page(of: found.prefix(limit), openings)
        guard reply.count > 0, reply.count < found.count else { return reply }
        let last = found[reply.count - 1]
        let end: Cursor? =
            switch order {
            case .near: last.neighbour.map { .place($0.coordinate, Landmark.ID($0.key)) }
            case .named: record(at: last.slot).map { .name($0.foldedName, $0.id) }
            case .recent: record(at: last.slot).map { .recent($0.rev) }
            case .prominent: prominence(of: last).map { .prominence($0.score, $0.distance, Landmark.ID($0.key)) }
            }
        guard let end else { return reply }
        let cursor = if let openings, openings.isFilter { Cursor.at(openings.at, end) } else { end }
        reply.cursor = cursor.bytes
        return reply
    }

    /// Returns the first of the rows: as many as a page has room for.
    func page(of rows: ArraySlice<FoundSlot>, _ openings: OpeningHoursEvaluator? = nil) -> HitsReply {
        let records = records
        // The landmarks of the rows lie all over the memory.
        for row in rows { records.prefetch(row.slot) }
        for row in rows { records[row.slot]?.stored.prefetch() }
        var reply = HitsReply(expecting: rows.count)
        reply.openingAt = openings?.at ?? 0
        for row in rows {
            guard let bytes = records[row.slot]?.bytes else { continue }
            guard reply.hasRoom(for: bytes) else { break }
            reply.append(
                bytes, distance: row.neighbour?.distance, bearing: row.neighbour?.bearing,
                opening: openings?.opening(bytes))
        }
        return reply
    }

    /// Returns the number of landmarks of each kind, as an encoded `Reply`.
    private func counts(of kinds: [String]) throws(ServiceError) -> [UInt8] {
        guard region == nil else { throw held.outside }
        guard kinds.count <= WaymarkProtocol.pageRows else {
            throw ServiceError(.invalid, "There are more than \(WaymarkProtocol.pageRows) kinds: ask for fewer.")
        }
        let counts = kinds.map { orders.kinds.existing($0).map { UInt64(orders.kinds.members(of: $0).count) } ?? 0 }
        return WireReply.with { $0.kindCounts.counts = counts }.encoded
    }

    /// Returns the distance between two places, as an encoded `Reply`.
    func distance(_ distance: WireDistance) throws(ServiceError) -> [UInt8] {
        let (from, to) = (try place(distance.from), try place(distance.to))
        let (metres, bearing) = Geodesic.inverse(from: from.coordinate, to: to.coordinate)
        return WireReply.with {
            $0.separation = .with {
                $0.distanceM = metres
                $0.bearingDeg = bearing
                if let landmark = from.landmark { $0.from = landmark }
                if let landmark = to.landmark { $0.to = landmark }
            }
        }.encoded
    }

    private func place(_ wire: WirePlace) throws(ServiceError) -> Place {
        switch wire.place {
        case .point(let point):
            let coordinate = try ServiceError.of { () throws(InvalidInput) in
                try Coordinate(wireLatitude: point.lat, longitude: point.lng)
            }
            return (coordinate, nil)
        case .landmark(let bytes):
            guard let id = UUIDv7(bytes: bytes), let record = self[id], let coordinate = coordinate(of: id) else {
                throw region == nil ? .noSuchLandmark : held.outside
            }
            return (coordinate, try? WireLandmark(serializedBytes: [UInt8](record.bytes)))
        case nil: throw ServiceError(.invalid, "The request lacks one of the two places.")
        }
    }
}

extension ServiceError {
    static let noSuchLandmark = ServiceError(.notFound, "There is no landmark with this id.")
}
