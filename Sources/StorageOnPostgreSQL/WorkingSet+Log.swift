// SPDX-License-Identifier: Apache-2.0

import Landmarks
import StorageRules
import WaymarkProtocol

/// The changes.
extension WorkingSet: ChangeTable {
    func append(
        _ head: Head, previous: UInt64, at: UInt64, operation: Change.Operation, version: UInt64, user: String,
        payload: [UInt8]
    ) {
        changes.append(
            ChangeRow(
                head: head, previous: previous, at: at, operation: UInt64(WireChange.Operation(operation).rawValue),
                version: version, user: user, payload: payload))
    }

    func noteRemoval(of id: Landmark.ID, rev: UInt64) { removals.append((id.high, rev)) }
}

/// The points of tracks.
extension WorkingSet: TrackTable {
    func newest(of landmark: UInt64, upTo time: UInt64) throws -> UInt64? {
        if let known = newestPoints[landmark] { return known }
        try readNewestPoints([landmark], upTo: time)
        // The batch's own points may not have been sent yet.
        let own = points.keys.lazy.filter { $0.landmark == landmark && $0.at <= time }.map(\.at).max()
        let newest = [newestPoints[landmark] ?? nil, own].compactMap { $0 }.max()
        newestPoints.updateValue(newest, forKey: landmark)
        return newest
    }

    func store(_ point: TrackPoint, of landmark: UInt64, now: UInt64) {
        points[PointKey(landmark: landmark, at: point.at)] = (point, now)
        if let known = newestPoints[landmark] {
            newestPoints.updateValue(max(known ?? 0, point.at), forKey: landmark)
        }
    }
}

/// The answers in the working set.
struct PostgreSQLAnswerTable: AnswerTable, SQLTable {
    let set: WorkingSet
    var db: any SQLSession { self.set }

    func find(_ id: UInt64) throws -> AnswerBook.Answer? {
        // A batch may contain the same request twice, so look at the new answers of this batch first.
        let new = set.answers.new
        if let first = new.first?.id, id >= first, id - first < UInt64(new.count) { return new[Int(id - first)].answer }
        return try set.value(
            "SELECT digest_high, digest_low, reply FROM answers WHERE id = $1", [.bits(id)]
        ) { row in
            AnswerBook.Answer(
                digest: RequestDigest(high: try row.bits(0), low: try row.bits(1)), reply: try row.bytes(2))
        }
    }

    func insert(_ id: UInt64, _ key: AnswerBook.Key, _ answer: AnswerBook.Answer) {
        set.answers.new.append((id, key, answer))
    }

    func delete(_ ids: Range<UInt64>) { set.answers.old = ids }
}

/// The marks of forgotten answers in the working set.
struct PostgreSQLMarkTable: MarkTable, SQLTable {
    let set: WorkingSet
    var db: any SQLSession { self.set }

    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) {
        set.marks.new.append((id, client, sequence))
    }

    func delete(_ ids: Range<UInt64>) { set.marks.old = ids }
}
