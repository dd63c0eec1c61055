// SPDX-License-Identifier: Apache-2.0

/// Writes like storage's: a landmark and its change, in one transaction.
extension PostgreSQLServer {
    /// How a client writes.
    enum Write {
        /// A revision without holes from a counter's row, as storage has it, then two rows.
        case change
        /// The same with a revision from a sequence: they have holes, and are not in the order of the commits.
        case sequence
        /// The same, and a NOTIFY.
        case notified
        /// 256 landmarks and their changes by two statements, without a counter: the most that one client can do.
        case batch

        var rows: Double { self == .batch ? 256 : 1 }
    }

    /// - Parameters:
    ///   - record: the bytes of a landmark.
    ///   - payload: the bytes of a change.
    func prepareWrites(record: Int, payload: Int) throws {
        _ = try query(
            """
            CREATE TABLE landmarks (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), record bytea NOT NULL);
            CREATE TABLE changes (rev bigint PRIMARY KEY, payload bytea NOT NULL);
            CREATE SEQUENCE batches INCREMENT 256;
            CREATE SEQUENCE revisions;
            CREATE TABLE head (one int PRIMARY KEY, rev bigint NOT NULL) WITH (fillfactor = 10);
            INSERT INTO head VALUES (1, 0);
            CREATE TABLE sample AS SELECT decode(repeat('5a', \(record)), 'hex') AS record,
                decode(repeat('a5', \(payload)), 'hex') AS payload;
            CREATE FUNCTION write_one(notified boolean) RETURNS void LANGUAGE plpgsql AS $$
            DECLARE next bigint;
            BEGIN
                INSERT INTO landmarks (record) SELECT record FROM sample;
                UPDATE head SET rev = rev + 1 RETURNING rev INTO next;
                INSERT INTO changes SELECT next, payload FROM sample;
                IF notified THEN PERFORM pg_notify('changes', next::text); END IF;
            END $$;
            CREATE FUNCTION write_unordered() RETURNS void LANGUAGE sql AS $$
                INSERT INTO landmarks (record) SELECT record FROM sample;
                INSERT INTO changes SELECT nextval('revisions'), payload FROM sample
            $$
            """)
    }

    /// - Returns: landmarks a second.
    func writeRate(_ write: Write, clients: Int, seconds: Double) throws -> Double {
        _ = try query(
            """
            TRUNCATE landmarks, changes;
            UPDATE head SET rev = 0;
            SELECT setval('batches', 1000000000), setval('revisions', 1)
            """)
        let script =
            switch write {
            case .change: "SELECT write_one(false);\n"
            case .sequence: "SELECT write_unordered();\n"
            case .notified: "SELECT write_one(true);\n"
            case .batch:
                """
                SELECT nextval('batches') AS first \\gset
                BEGIN;
                INSERT INTO landmarks (record) SELECT record FROM sample, generate_series(1, 256);
                INSERT INTO changes SELECT :first + g, payload FROM sample, generate_series(1, 256) g;
                COMMIT;

                """
            }
        return try rate(clients: clients, seconds: seconds, script: script) * write.rows
    }
}
