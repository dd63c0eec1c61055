// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// What PostgreSQL does without storage: one connection that inserts 256 rows by arrays and commits them, over and over.
final class BareInserts {
    enum Rows {
        /// One row of three columns.
        case narrow
        /// The three rows of a write, with all columns that storage gives them, and a counter as storage moves its head.
        case same
    }

    private static let count = 256
    private let connection: Connection
    private let payload: Int
    private var last: Int64 = 0

    /// - Parameters:
    ///   - url: a database in which storage has made its tables.
    ///   - payload: the bytes of a change.
    init(_ url: String, payload: Int) throws {
        connection = try Connection(PostgreSQL.Configuration(url: try ConnectionURL(url)))
        self.payload = payload
        try connection.executeScript(
            """
            CREATE SCHEMA bare;
            CREATE TABLE bare.narrow (rev bigint PRIMARY KEY, at bigint NOT NULL, payload bytea NOT NULL);
            CREATE TABLE bare.landmarks (LIKE landmarks INCLUDING ALL);
            CREATE TABLE bare.changes (LIKE changes INCLUDING ALL);
            CREATE TABLE bare.answers (LIKE answers INCLUDING ALL);
            CREATE TABLE bare.head (rev bigint NOT NULL) WITH (fillfactor = 50);
            INSERT INTO bare.head VALUES (0);
            """)
    }

    deinit { connection.close() }

    /// - Returns: rows a second of `narrow`, or writes of `same`.
    func rate(_ rows: Rows, seconds: Int) throws -> Double {
        try connection.executeScript("TRUNCATE bare.narrow, bare.landmarks, bare.changes, bare.answers; CHECKPOINT")
        let begun = ContinuousClock.now
        var done = 0
        while ContinuousClock.now - begun < .seconds(seconds) {
            var pipeline = Pipeline()
            try add("BEGIN", to: &pipeline)
            switch rows {
            case .narrow: try insert("narrow", [next, ones, .byteaArray(bytes(payload))], to: &pipeline)
            case .same:
                try add("UPDATE bare.head SET rev = rev + 1", to: &pipeline)
                try insert("landmarks", [next, ones, .byteaArray(bytes(150))], to: &pipeline)
                let users = Parameter.textArray(Array(repeating: "measure", count: Self.count))
                try insert(
                    "changes", [next, ones, ones, ones, ones, ones, users, .byteaArray(bytes(payload))], to: &pipeline)
                try insert("answers", [next, ones, ones, ones, ones, ones, .byteaArray(bytes(30))], to: &pipeline)
            }
            try add("COMMIT", to: &pipeline)
            for result in try connection.run(pipeline) { _ = try result.get() }
            last += Int64(Self.count)
            done += Self.count
        }
        return Double(done) / ((ContinuousClock.now - begun) / .seconds(1))
    }

    private var next: Parameter { .int8Array((0..<Int64(Self.count)).map { last + 1 + $0 }) }
    private let ones = Parameter.int8Array(Array(repeating: 1, count: BareInserts.count))

    private func bytes(_ count: Int) -> [[UInt8]?] {
        Array(repeating: [UInt8](repeating: 0x5a, count: count), count: Self.count)
    }

    private func insert(_ table: String, _ columns: [Parameter], to pipeline: inout Pipeline) throws {
        let values = (1...columns.count).map { "unnest($\($0))" }.joined(separator: ", ")
        try add("INSERT INTO bare.\(table) SELECT \(values)", columns, to: &pipeline)
    }

    private func add(_ sql: String, _ parameters: [Parameter] = [], to pipeline: inout Pipeline) throws {
        try pipeline.run(connection.prepare(sql, parameters.map(\.type)), parameters)
    }
}
