// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Testing

extension PostgreSQLTests {
    @Suite("Transactions")
    struct TransactionTests {
        private struct Refused: Error {}

        private static func table(_ connection: Connection, _ name: String) throws {
            try connection.executeScript("DROP TABLE IF EXISTS \(name); CREATE TABLE \(name) (k int8 PRIMARY KEY)")
        }

        private static func count(_ connection: Connection, _ name: String) throws -> Int64? {
            try connection.execute("SELECT count(*) FROM \(name)").first?.int8(0)
        }

        @Test("what throws is undone, and what does not is committed")
        func undone() throws {
            let (connection, other) = (try connect(), try connect())
            try Self.table(connection, "tu")
            #expect(throws: Refused.self) {
                try connection.inTransaction {
                    try connection.execute("INSERT INTO tu VALUES (1)")
                    #expect(connection.isInsideTransaction)
                    #expect(try Self.count(other, "tu") == 0)
                    throw Refused()
                }
            }
            #expect(!connection.isInsideTransaction)
            try connection.inTransaction { try connection.execute("INSERT INTO tu VALUES (2)") }
            #expect(try Self.count(other, "tu") == 1)
            try connection.begin()
            try connection.execute("INSERT INTO tu VALUES (3)")
            try connection.rollback()
            #expect(try Self.count(other, "tu") == 1)
        }

        @Test("a COMMIT that PostgreSQL answers with ROLLBACK is an error")
        func failedCommit() throws {
            let connection = try connect()
            try Self.table(connection, "tf")
            #expect(throws: PostgreSQLError.rolledBack) {
                try connection.inTransaction {
                    try connection.execute("INSERT INTO tf VALUES (1)")
                    let twice = PostgreSQLTests.error { try connection.execute("INSERT INTO tf VALUES (1)") }
                    #expect(twice == .uniqueViolation(constraint: "tf_pkey"))
                    let next = PostgreSQLTests.error { try connection.execute("SELECT 1") }
                    guard case .other("25P02", _)? = next else {
                        Issue.record("\(String(describing: next))")
                        return
                    }
                }
            }
            #expect(try Self.count(connection, "tf") == 0)
            try connection.begin()
            let unknown = PostgreSQLTests.error { try connection.execute("SELECT nothing") }
            guard case .other("42703", _)? = unknown else {
                Issue.record("\(String(describing: unknown))")
                return
            }
            #expect(throws: PostgreSQLError.rolledBack) { try connection.execute("end") }
        }

        @Test("a snapshot sees one state, writes nothing, and leaves no transaction behind")
        func snapshot() throws {
            let (connection, other) = (try connect(), try connect())
            try Self.table(connection, "ts")
            let seen = try connection.reading {
                let before = try Self.count(connection, "ts")
                try other.execute("INSERT INTO ts VALUES (1)")
                return (before, try Self.count(connection, "ts"))
            }
            #expect(seen == (0, 0))
            #expect(try Self.count(connection, "ts") == 1)
            for sql in ["INSERT INTO ts VALUES (2)", "DROP TABLE ts", "SELECT nextval('sq')"] {
                try connection.executeScript("CREATE SEQUENCE IF NOT EXISTS sq")
                let error = PostgreSQLTests.error { try connection.reading { _ = try connection.execute(sql) } }
                guard case .readOnly? = error else {
                    Issue.record("\(sql): \(String(describing: error))")
                    continue
                }
                #expect(!connection.isInsideTransaction)
            }
        }

        @Test("a transaction inside of another, and a COMMIT of none, are errors")
        func misplaced() throws {
            let connection = try connect()
            func state(_ body: () throws -> Void) -> String {
                if case .other(let state, _)? = PostgreSQLTests.error(body) { state } else { "" }
            }
            #expect(state { try connection.commit() } == "25P01")
            try connection.begin()
            #expect(state { try connection.begin() } == "25001")
            #expect(state { try connection.inTransaction {} } == "25001")
            #expect(connection.isInsideTransaction)
            try connection.commit()
            try connection.rollback()
        }

        @Test("a script is one transaction")
        func script() throws {
            let connection = try connect()
            try Self.table(connection, "tc")
            let unknown = PostgreSQLTests.error {
                try connection.executeScript("INSERT INTO tc VALUES (1); INSERT INTO tc VALUES (2); SELECT nothing")
            }
            guard case .other("42703", _)? = unknown else {
                Issue.record("\(String(describing: unknown))")
                return
            }
            #expect(try Self.count(connection, "tc") == 0)
            try connection.executeScript("INSERT INTO tc VALUES (1); SELECT 1; ; -- none\n INSERT INTO tc VALUES (2)")
            #expect(try Self.count(connection, "tc") == 2)
        }

        @Test("a statement is prepared once for its text and types, and not taken for another connection's")
        func prepared() throws {
            let (connection, other) = (try connect(), try connect())
            let statements = try (0..<3).map { _ in try connection.prepare("SELECT $1", [.int8]) }
            _ = try connection.prepare("SELECT $1", [.text])
            #expect(try connection.execute("SELECT count(*) FROM pg_prepared_statements").first?.int8(0) == 2)
            _ = try other.prepare("SELECT $1 + 1", [.int8])
            let error = PostgreSQLTests.error { try other.run(statements[0], [.int8(1)]) }
            guard case .other("26000", _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
