// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// A place that was asked about, and the landmark's bytes where it was one.
private typealias Place = (coordinate: Coordinate, record: ReplicaRecord?)

extension Replica {
    /// The encoded `Reply` to a question that the replica answers.
    func answer(_ command: WireRequest.OneOf_Command) throws(ServiceError) -> [UInt8] {
        switch command {
        case .near(let near):
            let question = try checked { () throws(InvalidInput) in try NearQuestion(near) }
            return answer(question, LandmarkFilter(near.filter))
        case .list(let list): return try answer(list)
        case .distance(let distance): return separation(try place(distance.from), try place(distance.to))
        default: throw ServiceError(.unknownCommand, "The replica does not answer this.")
        }
    }

    private func answer(_ question: NearQuestion, _ filter: LandmarkFilter) -> [UInt8] {
        guard let filter = resolve(filter) else { return HitsWriter(expecting: 0).finish(cursor: nil) }
        // One more than wanted tells whether there is another page.
        var wider = question
        wider.limit += 1
        let found = nearest(wider, filter)
        var writer = HitsWriter(expecting: found.count)
        var cursor: Cursor?
        for neighbour in found.prefix(question.limit) {
            guard let record = record(at: neighbour.payload), let place = index[neighbour.key]?.coordinate else {
                continue
            }
            guard writer.hasRoom(for: record.bytes) else { break }
            let (distance, azimuth) = Geodesic.inverse(from: question.coordinate, to: place)
            writer.append(record.bytes, distance: distance, bearing: azimuth)
            cursor = .distance(distance, record.id)
        }
        let hasMore = writer.count < found.count
        return writer.finish(cursor: hasMore ? cursor : nil)
    }

    private func answer(_ list: WireList) throws(ServiceError) -> [UInt8] {
        if list.order == .byDistance {
            let question = try checked { () throws(InvalidInput) in try NearQuestion(list) }
            return answer(question, LandmarkFilter(list.filter))
        }
        let limit = try checked { () throws(InvalidInput) in try PageLimit.rows(list.limit, standard: 100) }
        let cursor: Cursor? =
            list.after.isEmpty ? nil : try checked { () throws(InvalidInput) in try Cursor(encoded: list.after) }
        guard let filter = resolve(LandmarkFilter(list.filter)) else {
            return HitsWriter(expecting: 0).finish(cursor: nil)
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
    ) -> [UInt8] {
        var writer = HitsWriter(expecting: found.count)
        for record in found.prefix(limit) {
            guard writer.hasRoom(for: record.bytes) else { break }
            writer.append(record.bytes)
        }
        let written = writer.count
        return writer.finish(cursor: written < found.count ? cursor(found[written - 1]) : nil)
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
                if let record = from.record, let wire = try? WireLandmark(serializedBytes: record.bytes) {
                    $0.from = wire
                }
                if let record = to.record, let wire = try? WireLandmark(serializedBytes: record.bytes) { $0.to = wire }
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
