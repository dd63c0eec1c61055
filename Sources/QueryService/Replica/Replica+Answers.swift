// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// A place that was asked about, and the landmark's bytes where it was one.
private typealias Place = (coordinate: Coordinate, record: ReplicaRecord?)

extension Replica {
    /// What is near, without a filter.
    func near(_ fields: NearFields) throws(ServiceError) -> HitsReply {
        answer(try checked { () throws(InvalidInput) in try NearQuestion(fields) }, RecordFilter())
    }

    func near(_ near: WireNear) throws(ServiceError) -> HitsReply {
        answer(try checked { () throws(InvalidInput) in try NearQuestion(near) }, LandmarkFilter(near.filter))
    }

    private func answer(_ question: NearQuestion, _ filter: LandmarkFilter) -> HitsReply {
        guard let filter = resolve(filter) else { return HitsReply(expecting: 0) }
        return answer(question, filter)
    }

    private func answer(_ question: NearQuestion, _ filter: RecordFilter) -> HitsReply {
        // One more than wanted tells whether there is another page.
        var wider = question
        wider.limit += 1
        let found = nearest(wider, filter)
        // The landmarks lie anywhere in memory: all are asked for before the first one is looked at.
        for neighbour in found { record(at: neighbour.payload)?.stored.prefetch() }
        var reply = HitsReply(expecting: found.count)
        for neighbour in found.prefix(question.limit) {
            guard let record = record(at: neighbour.payload) else { continue }
            guard reply.hasRoom(for: record.bytes) else { break }
            reply.append(record.bytes, distance: neighbour.distance, bearing: neighbour.bearing)
        }
        if reply.count < found.count, reply.count > 0 {
            reply.end(at: cursor(after: found[reply.count - 1], question))
        }
        return reply
    }

    /// The distance in it is exact, or the next page would begin with the same row, or leave one out.
    private func cursor(after row: Neighbour, _ question: NearQuestion) -> Cursor? {
        guard let place = index[row.key]?.coordinate else { return nil }
        return .distance(Geodesic.distance(from: question.coordinate, to: place), Landmark.ID(row.key))
    }

    func list(_ list: WireList) throws(ServiceError) -> HitsReply {
        if list.order == .byDistance {
            let question = try checked { () throws(InvalidInput) in try NearQuestion(list) }
            return answer(question, LandmarkFilter(list.filter))
        }
        let limit = try checked { () throws(InvalidInput) in try PageLimit.rows(list.limit, standard: 100) }
        let cursor: Cursor? =
            list.after.isEmpty ? nil : try checked { () throws(InvalidInput) in try Cursor(encoded: list.after) }
        guard let filter = resolve(LandmarkFilter(list.filter)) else {
            return HitsReply(expecting: 0)
        }
        switch (list.order, cursor) {
        case (.byRecent, nil): return page(recent(limit: limit + 1, filter, before: nil), limit) { .recent($0.rev) }
        case (.byRecent, .recent(let rev)?):
            return page(recent(limit: limit + 1, filter, before: rev), limit) { .recent($0.rev) }
        case (.byName, nil):
            return page(named(limit: limit + 1, filter, after: nil), limit) { .name($0.foldedName, $0.id) }
        case (.byName, .name(let name, let id)?):
            return page(named(limit: limit + 1, filter, after: (name, id)), limit) { .name($0.foldedName, $0.id) }
        default:
            throw ServiceError(.invalid, "The order or the cursor is not one of a list: begin at its first page.")
        }
    }

    private func page(
        _ found: [ReplicaRecord], _ limit: Int, _ cursor: (ReplicaRecord) -> Cursor
    ) -> HitsReply {
        var reply = HitsReply(expecting: found.count)
        for record in found.prefix(limit) {
            guard reply.hasRoom(for: record.bytes) else { break }
            reply.append(record.bytes)
        }
        if reply.count > 0, reply.count < found.count { reply.end(at: cursor(found[reply.count - 1])) }
        return reply
    }

    /// How far it is from one place to another, as an encoded `Reply`.
    func distance(_ distance: WireDistance) throws(ServiceError) -> [UInt8] {
        separation(try place(distance.from), try place(distance.to))
    }

    private func place(_ wire: WirePlace) throws(ServiceError) -> Place {
        switch wire.place {
        case .point(let point):
            let coordinate = try checked { () throws(InvalidInput) in
                try Coordinate(wireLatitude: point.lat, longitude: point.lng)
            }
            return (coordinate, nil)
        case .landmark(let bytes):
            guard let id = UUIDv7(bytes: bytes), let record = self[id], let coordinate = coordinate(of: id) else {
                throw .noSuchLandmark
            }
            return (coordinate, record)
        case nil: throw ServiceError(.invalid, "The request lacks one of the two places.")
        }
    }

    private func separation(_ from: Place, _ to: Place) -> [UInt8] {
        let (metres, bearing) = Geodesic.inverse(from: from.coordinate, to: to.coordinate)
        return WireReply.with {
            $0.separation = .with {
                $0.distanceM = metres
                $0.bearingDeg = bearing
                if let record = from.record, let wire = try? WireLandmark(serializedBytes: [UInt8](record.bytes)) {
                    $0.from = wire
                }
                if let record = to.record, let wire = try? WireLandmark(serializedBytes: [UInt8](record.bytes)) {
                    $0.to = wire
                }
            }
        }.encoded
    }

    private func checked<T>(_ body: () throws(InvalidInput) -> T) throws(ServiceError) -> T {
        do { return try body() } catch { throw ServiceError(error) }
    }
}

extension ServiceError {
    static let noSuchLandmark = ServiceError(.notFound, "There is no landmark with this id.")
}
