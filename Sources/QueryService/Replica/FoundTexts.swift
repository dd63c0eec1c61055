// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import WaymarkProtocol

/// The ids of the landmarks that storage found in a text search, best match first. They are decoded by hand, because
/// storage's `Reply` may hold thousands of landmarks of which only the ids are needed.
struct FoundTexts {
    private(set) var ids: [Landmark.ID] = []
    private(set) var searchedRev: UInt64 = 0
    private(set) var isTruncated = false

    /// Reads the ids from an encoded `Reply`; nil if the bytes hold no `Hits`.
    init?(reply: [UInt8]) {
        let isRead = reply.withUnsafeBytes { bytes in
            var results = WireFields(bytes)
            var hasHits = false
            while let hits = results.next(ReplyField.hits) {
                hasHits = true
                guard read(hits) else { return false }
            }
            return hasHits && results.isWhole
        }
        guard isRead else { return nil }
    }

    private mutating func read(_ hits: UnsafeRawBufferPointer) -> Bool {
        var fields = WireFields(hits)
        while let (field, value) = fields.next() {
            switch (HitsField(rawValue: field), value) {
            case (.hits, .bytes(let hit)):
                var parts = WireFields(hit)
                guard let id = parts.next(HitField.landmark).flatMap({ LandmarkView($0)?.id }) else { return false }
                ids.append(id)
            case (.searchedRev, .number(let number)): searchedRev = number
            case (.truncated, .number(let number)): isTruncated = number != 0
            default: break
            }
        }
        return fields.isWhole
    }

    /// Returns a page of the matches: the best first, or the nearest first if `centre` is given.
    func page(of replica: Replica, from centre: Coordinate?, limit: Int) -> HitsReply {
        let rows = centre.map { nearest(to: $0, limit, in: replica) } ?? ranked(limit, in: replica.index)
        var reply = replica.page(of: rows[...])
        (reply.searchedRev, reply.isTruncated) = (searchedRev, isTruncated || reply.count < rows.count)
        return reply
    }

    private func ranked(_ limit: Int, in index: SpatialIndex) -> [FoundSlot] {
        Array(ids.compactMap { id in index[PointKey(id)].map { FoundSlot(slot: $0.payload) } }.prefix(limit))
    }

    private func nearest(to centre: Coordinate, _ limit: Int, in replica: Replica) -> [FoundSlot] {
        guard var nearest = NearestFew(to: centre, limit: limit) else { return [] }
        for id in ids {
            guard let place = replica.index[PointKey(id)], let record = replica.record(at: place.payload)
            else { continue }
            nearest.offer(PointKey(id), record.point, payload: place.payload) { place.coordinate }
        }
        return nearest.rows.map { FoundSlot(slot: $0.payload, neighbour: $0) }
    }
}
