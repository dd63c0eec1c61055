// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

extension PostgreSQLTests {
    @Suite("Errors")
    struct ErrorTests {
        @Test("each rule of a table has its error, and the connection goes on")
        func constraints() throws {
            let connection = try connect()
            try connection.executeScript(
                """
                CREATE TEMP TABLE parent (k int8 CONSTRAINT parent_key PRIMARY KEY);
                CREATE TEMP TABLE child (
                    k int8 NOT NULL CONSTRAINT child_parent REFERENCES parent, n int8 CONSTRAINT child_n CHECK (n > 0));
                INSERT INTO parent VALUES (1);
                """)
            #expect(throws: PostgreSQLError.uniqueViolation(constraint: "parent_key")) {
                try connection.execute("INSERT INTO parent VALUES (1)")
            }
            for (values, state, constraint) in [
                ("2, 1", "23503", "child_parent"), ("1, 0", "23514", "child_n"), ("NULL, 1", "23502", ""),
            ] {
                let error = PostgreSQLTests.error { try connection.execute("INSERT INTO child VALUES (\(values))") }
                guard case .otherConstraint(state, constraint, _)? = error else {
                    Issue.record("\(values): \(String(describing: error))")
                    continue
                }
            }
            #expect(throws: PostgreSQLError.undefinedTable(#"relation "nowhere" does not exist"#)) {
                try connection.prepare("SELECT * FROM nowhere")
            }
            for (sql, state) in [
                ("SELECT", ""), ("SELECT 1/0", "22012"), ("SELEC 1", "42601"), ("SELECT 1; SELECT 2", "42601"),
                ("SELECT nothing", "42703"), ("SELECT 'x'::int8", "22P02"), ("", ""),
            ] {
                let error = PostgreSQLTests.error { try connection.execute(sql) }
                switch error {
                case nil: #expect(state.isEmpty, "\(sql)")
                case .other(let found, _)?: #expect(found == state, "\(sql)")
                default: Issue.record("\(sql): \(String(describing: error))")
                }
            }
            #expect(try connection.execute("SELECT 1").first?.int4(0) == 1)
        }

        @Test("a transaction that another was in the way of, and two that wait for each other")
        func conflicts() throws {
            let (one, other) = (try connect(), try connect())
            try one.executeScript(
                """
                DROP TABLE IF EXISTS s;
                CREATE TABLE s (k int8 PRIMARY KEY, n int8);
                INSERT INTO s VALUES (1, 0), (2, 0);
                """)
            for connection in [one, other] {
                try connection.begin()
                try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                _ = try connection.execute("SELECT n FROM s")
            }
            let update = "UPDATE s SET n = n + 1 WHERE k = $1"
            try one.execute(update, [.int8(1)])
            try one.commit()
            let late = PostgreSQLTests.error { try other.execute(update, [.int8(1)]) }
            guard case .serializationFailure? = late else {
                Issue.record("\(String(describing: late))")
                return
            }
            #expect(throws: PostgreSQLError.rolledBack) { try other.commit() }

            let server = try TestServer.current()
            let configuration = try configuration(server)
            let waiting = Background<Bool> {
                let third = try Connection(configuration)
                return try third.inTransaction {
                    try third.execute(update, [.int8(2)])
                    // Waits for the row of the other one.
                    return Self.isDeadlock(PostgreSQLTests.error { try third.execute(update, [.int8(1)]) })
                }
            }
            try one.begin()
            try one.execute(update, [.int8(1)])
            try blockUntil {
                try other.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").first?.int8(0) == 1
            }
            // PostgreSQL chooses one of the two.
            let isMine = Self.isDeadlock(PostgreSQLTests.error { try one.execute(update, [.int8(2)]) })
            try one.rollback()
            // Its transaction is undone then, which its COMMIT tells.
            let isTheirs = try? waiting.value()
            #expect(isMine ? isTheirs == false : isTheirs == nil && waiting.error() == .rolledBack)
        }

        private static func isDeadlock(_ error: PostgreSQLError?) -> Bool {
            if case .deadlock? = error { true } else { false }
        }

        @Test("what cannot be brought about here is told by its SQLSTATE")
        func states() throws {
            let connection = try connect()
            let message = "raised"
            for (state, expected) in [
                ("53100", .diskFull(message)), ("53300", .tooManyConnections(message)),
                ("XX001", .dataCorrupted(message)), ("XX002", .dataCorrupted(message)),
                ("40001", .serializationFailure(message)), ("40P01", .deadlock(message)), ("25006", .readOnly(message)),
                ("57014", .cancelled(message)), ("28000", .authenticationFailed(message)),
                ("23P01", .otherConstraint(sqlstate: "23P01", constraint: "", message: message)),
                ("08P01", .other(sqlstate: "08P01", message: message)),
                ("P0001", .other(sqlstate: "P0001", message: message)),
                ("23505", .uniqueViolation(constraint: "")), ("42P01", .undefinedTable(message)),
            ] as [(String, PostgreSQLError)] {
                #expect(throws: expected) {
                    try connection.execute("DO $$ BEGIN RAISE 'raised' USING ERRCODE = '\(state)'; END $$")
                }
            }
            for state in ["08006", "57P01", "57P03"] {
                let connection = try connect()
                #expect(throws: PostgreSQLError.connectionLost(commitIsUnknown: true, message: message)) {
                    try connection.execute("DO $$ BEGIN RAISE 'raised' USING ERRCODE = '\(state)'; END $$")
                }
                #expect(connection.isClosed)
            }
        }

        @Test(
            "a damaged page, and a disk without room",
            .enabled(if: geteuid() == 0, "only root can mount a small disk"))
        func disk() throws {
            let server = try TestServer(TestServer.Options(hasChecksums: true, settings: ["autovacuum=off"]))
            defer { server.close() }
            let connection = try Connection(try configuration(server))
            try connection.executeScript("CREATE TABLE d AS SELECT generate_series(1, 1000) AS k; CHECKPOINT")
            let path = try #require(try connection.execute("SELECT pg_relation_filepath('d')").first).text(0)
            let disk = try SmallDisk(at: server.directory + "/disk", like: server.directory, megabytes: 2)
            defer { disk.close() }
            try connection.execute("CREATE TABLESPACE small LOCATION '\(disk.path)'")
            try connection.execute("CREATE TABLE big (b text) TABLESPACE small")
            let full = PostgreSQLTests.error {
                try connection.execute("INSERT INTO big SELECT repeat('x', 1000) FROM generate_series(1, 10000)")
            }
            guard case .diskFull? = full else {
                Issue.record("\(String(describing: full))")
                return
            }
            #expect(try connection.execute("SELECT count(*) FROM big").first?.int8(0) == 0)
            try connection.execute("DROP TABLE big")

            server.stop()
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: server.dataDirectory + "/" + path))
            try file.seek(toOffset: 4_000)
            try file.write(contentsOf: Data(repeating: 0x5a, count: 64))
            try file.close()
            try server.start()
            let damaged = PostgreSQLTests.error {
                _ = try Connection(try configuration(server)).execute("SELECT sum(k) FROM d")
            }
            guard case .dataCorrupted? = damaged else {
                Issue.record("\(String(describing: damaged))")
                return
            }
        }

        @Test("each description is one sentence that says what to do")
        func descriptions() {
            let all: [PostgreSQLError] = [
                .invalidURL("r"), .encodingIsNotUTF8("r"), .cannotConnect("r"), .authenticationFailed("r"),
                .connectionLost(commitIsUnknown: true, message: "r"),
                .connectionLost(commitIsUnknown: false, message: "r"),
                .timedOut(commitIsUnknown: true), .timedOut(commitIsUnknown: false), .cancelled("r"),
                .uniqueViolation(constraint: "r"), .otherConstraint(sqlstate: "23502", constraint: "c", message: "r"),
                .serializationFailure("r"), .deadlock("r"), .readOnly("r"), .diskFull("r"), .tooManyConnections("r"),
                .undefinedTable("r"), .dataCorrupted("r"), .other(sqlstate: "P0001", message: "r"),
                .parameter(.nulInText), .parameter(.tooMany(70_000)), .parameter(.tooLarge(1 << 30)),
                .parameter(.wrongCount(expected: 1, given: 2)), .pipelineAborted, .rolledBack, .closed,
                .parameter(.wrongType(parameter: 1, expected: .int8, given: .text)),
            ]
            for error in all { #expect("\(error)".contains(": ") && !"\(error)".contains("\n"), "\(error)") }
            #expect(Set(all.map { "\($0)" }).count == all.count)
            #expect(all.filter(\.commitIsUnknown).count == 2)
        }
    }
}
