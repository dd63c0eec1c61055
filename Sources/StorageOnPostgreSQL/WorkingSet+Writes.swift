// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

// Rows are sent as arrays, one for each column, so that each table needs one statement for any number of rows. The
// arrays are unnested side by side in the SELECT list, because for `FROM unnest($1, $2)` the server first copies all
// values into a temporary store, and takes a quarter longer.

extension WorkingSet {
    /// Adds a statement for each table with pending changes.
    func addWrites(to pipeline: inout Pipeline) throws {
        try addLandmarks(to: &pipeline)
        try addNotes(to: &pipeline)
        try addSources(to: &pipeline)
        try insert(
            changes.count, into: #"changes (rev, previous, landmarks, at, operation, version, "user", payload)"#,
            [
                .column(changes.map(\.head.rev)), .column(changes.map(\.previous)),
                .column(changes.map(\.head.landmarks)),
                .column(changes.map(\.at)), .column(changes.map(\.operation)), .column(changes.map(\.version)),
                .textArray(changes.map(\.user)), .byteaArray(changes.map(\.payload)),
            ], in: &pipeline)
        try insert(
            removals.count, into: "removals (key, rev)", [.column(removals.map(\.key)), .column(removals.map(\.rev))],
            "ON CONFLICT (key) DO UPDATE SET rev = excluded.rev", in: &pipeline)
        try addPoints(to: &pipeline)
        try addAnswers(to: &pipeline)
    }

    /// - Parameters:
    ///   - count: the number of rows.
    ///   - columns: an array for each column that `table` names.
    ///   - rest: the clause that ends the statement, after the rows.
    private func insert(
        _ count: Int, into table: String, _ columns: [Parameter], _ rest: String = "", in pipeline: inout Pipeline
    ) throws {
        guard count > 0 else { return }
        let places = (1...columns.count).map { "unnest($\($0))" }.joined(separator: ", ")
        try pipeline.add(connection, "INSERT INTO \(table) SELECT \(places) \(rest)", columns)
    }

    private func addLandmarks(to pipeline: inout Pipeline) throws {
        let rows = landmarks.changes
        let new = rows.inserted
        try insert(
            new.count, into: "landmarks (key, low, record)",
            [
                .column(new.map(\.key)), .column(new.map(\.value.landmark.id.low)),
                .byteaArray(new.map(\.value.record)),
            ], in: &pipeline)
        if !rows.updated.isEmpty {
            try pipeline.add(
                connection,
                """
                UPDATE landmarks SET record = new.record
                FROM (SELECT unnest($1) AS key, unnest($2) AS record) AS new WHERE landmarks.key = new.key
                """, [.column(rows.updated.map(\.key)), .byteaArray(rows.updated.map(\.value.record))])
        }
        if !rows.deleted.isEmpty {
            try pipeline.add(connection, "DELETE FROM landmarks WHERE key = ANY($1)", [.column(rows.deleted)])
        }
    }

    private func addNotes(to pipeline: inout Pipeline) throws {
        let rows = notes.changes
        if !rows.deleted.isEmpty {
            try pipeline.add(connection, "DELETE FROM notes WHERE key = ANY($1)", [.column(rows.deleted)])
        }
        let new = rows.inserted + rows.updated
        try insert(
            new.count, into: "notes (key, low, landmark)",
            [.column(new.map(\.key)), .column(new.map(\.value.low)), .column(new.map(\.value.landmark))],
            in: &pipeline)
    }

    private func addSources(to pipeline: inout Pipeline) throws {
        let rows = sources.changes
        if !rows.deleted.isEmpty {
            try pipeline.add(
                connection,
                """
                DELETE FROM source_rows USING (SELECT unnest($1) AS source, unnest($2) AS key) AS old
                WHERE source_rows.source = old.source AND source_rows.key = old.key
                """, [.textArray(rows.deleted.map(\.name)), .textArray(rows.deleted.map(\.key))])
        }
        let new = rows.inserted + rows.updated
        try insert(
            new.count, into: "source_rows (source, key, landmark, draft)",
            [
                .textArray(new.map(\.key.name)), .textArray(new.map(\.key.key)),
                .int8Array(new.map { $0.value.landmark.map { Int64(bitPattern: $0) } }),
                .byteaArray(new.map(\.value.draft)),
            ], "ON CONFLICT (source, key) DO UPDATE SET landmark = excluded.landmark, draft = excluded.draft",
            in: &pipeline)
    }

    private func addPoints(to pipeline: inout Pipeline) throws {
        let rows = Array(points)
        try insert(
            rows.count, into: "track_points (landmark, at, rev, lat, lng, written, accuracy, speed)",
            [
                .column(rows.map(\.key.landmark)), .column(rows.map(\.key.at)), .column(rows.map(\.value.point.rev)),
                .float8Array(rows.map(\.value.point.coordinate.latitude)),
                .float8Array(rows.map(\.value.point.coordinate.longitude)), .column(rows.map(\.value.written)),
                .float8Array(rows.map(\.value.point.accuracy)), .float8Array(rows.map(\.value.point.speed)),
            ],
            """
            ON CONFLICT (landmark, at) DO UPDATE SET rev = excluded.rev, lat = excluded.lat, lng = excluded.lng,
                written = excluded.written, accuracy = excluded.accuracy, speed = excluded.speed
            """, in: &pipeline)
    }

    private func addAnswers(to pipeline: inout Pipeline) throws {
        let (new, marks) = (answers.new, marks.new)
        try insert(
            new.count, into: "answers (id, client_high, client_low, sequence, digest_high, digest_low, reply)",
            [
                .column(new.map(\.id)), .column(new.map(\.key.client.high)), .column(new.map(\.key.client.low)),
                .column(new.map(\.key.sequence)), .column(new.map(\.answer.digest.high)),
                .column(new.map(\.answer.digest.low)), .byteaArray(new.map(\.answer.reply)),
            ], in: &pipeline)
        try insert(
            marks.count, into: "forgotten (id, client_high, client_low, sequence)",
            [
                .column(marks.map(\.id)), .column(marks.map(\.client.high)), .column(marks.map(\.client.low)),
                .column(marks.map(\.sequence)),
            ], in: &pipeline)
        for (table, old) in [("answers", answers.old), ("forgotten", self.marks.old)] {
            guard let old else { continue }
            try pipeline.add(
                connection, "DELETE FROM \(table) WHERE id >= $1 AND id < $2",
                [.bits(old.lowerBound), .bits(old.upperBound)])
        }
    }
}
