// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import WaymarkProtocol

/// The changes of the working set.
struct PostgreSQLChangeTable: ChangeTable {
    let set: WorkingSet

    func head() throws -> Head {
        let head = try set.connection.first("SELECT rev, landmarks FROM history") { row in
            Head(rev: try row.bits(0), landmarks: try row.bits(1))
        }
        guard let head else { throw EngineError.corrupted("it has no history") }
        return head
    }

    func append(
        _ head: Head, previous: UInt64, at: UInt64, operation: Change.Operation, version: UInt64, user: String,
        payload: [UInt8]
    ) {
        set.changes.append(
            WorkingSet.ChangeRow(
                head: head, previous: previous, at: at, operation: UInt64(WireChange.Operation(operation).rawValue),
                version: version, user: user, payload: payload))
    }
}

/// The points of tracks of the working set.
struct PostgreSQLTrackTable: TrackTable {
    let set: WorkingSet

    func append(_ point: TrackPoint, of landmark: Landmark.ID, now: UInt64) {
        set.points.append(WorkingSet.PointRow(landmark: landmark.high, point: point, written: now))
    }
}

/// The answers of the working set.
struct PostgreSQLAnswerTable: AnswerTable {
    let set: WorkingSet

    func forEach(_ body: (UInt64, AnswerBook.Key) throws -> Void) throws {
        let rows = try set.connection.rows("SELECT id, client_high, client_low, sequence FROM answers ORDER BY id")
        for row in rows {
            let client = UUIDv7(high: try row.bits(1), low: try row.bits(2))
            try body(try row.bits(0), AnswerBook.Key(client: client, sequence: try row.bits(3)))
        }
    }

    func find(_ id: UInt64) throws -> AnswerBook.Answer? {
        // The same request may be in a batch twice.
        if let first = set.answers.first?.id, id >= first, id - first < UInt64(set.answers.count) {
            return set.answers[Int(id - first)].answer
        }
        return try set.connection.first(
            "SELECT digest_high, digest_low, reply FROM answers WHERE id = $1", [.bits(id)]
        ) { row in
            AnswerBook.Answer(
                digest: RequestDigest(high: try row.bits(0), low: try row.bits(1)), reply: try row.bytes(2))
        }
    }

    func insert(_ id: UInt64, _ key: AnswerBook.Key, _ answer: AnswerBook.Answer) {
        set.answers.append(WorkingSet.AnswerRow(id: id, key: key, answer: answer))
    }

    func delete(_ ids: Range<UInt64>) { set.oldAnswers = ids }

    func ends() throws -> (oldest: UInt64, newest: UInt64) {
        try set.connection.first("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM answers") { row in
            (try row.bits(0), try row.bits(1))
        } ?? (0, 0)
    }
}

/// The marks of forgotten answers of the working set.
struct PostgreSQLMarkTable: MarkTable {
    let set: WorkingSet

    func forEach(_ body: (UInt64, UUIDv7, UInt64) throws -> Void) throws {
        let rows = try set.connection.rows("SELECT id, client_high, client_low, sequence FROM forgotten ORDER BY id")
        for row in rows {
            try body(try row.bits(0), UUIDv7(high: try row.bits(1), low: try row.bits(2)), try row.bits(3))
        }
    }

    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) {
        set.marks.append(WorkingSet.MarkRow(id: id, client: client, sequence: sequence))
    }

    func delete(_ ids: Range<UInt64>) { set.oldMarks = ids }

    func newest() throws -> UInt64 {
        try set.connection.first("SELECT coalesce(max(id), 0) FROM forgotten") { row in try row.bits(0) } ?? 0
    }
}
