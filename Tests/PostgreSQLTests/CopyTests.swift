// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TestPostgreSQL
import Testing

extension PostgreSQLTests {
    @Suite("COPY")
    struct CopyTests {
        private struct Refused: Error {}

        private static func table(_ connection: Connection) throws {
            try connection.executeScript(
                "DROP TABLE IF EXISTS c; CREATE TABLE c (k int8 PRIMARY KEY, t text, b bytea)")
        }

        private static let sql = "COPY c (k, t, b) FROM STDIN (FORMAT binary)"

        private static func row(_ key: Int64) -> [Parameter] {
            let bytes = [UInt8](repeating: UInt8(key & 0xff), count: 40)
            return [.int8(key), .text(key % 7 == 0 ? nil : "row \(key)"), .bytea(bytes)]
        }

        @Test("10,000 rows are copied as they are")
        func many() throws {
            let connection = try connect()
            try Self.table(connection)
            let count = try connection.copy(Self.sql) { writer in
                for key in 0..<10_000 { try writer.append(Self.row(Int64(key))) }
            }
            #expect(count == 10_000)
            let rows = try connection.execute("SELECT k, t, b FROM c ORDER BY k")
            #expect(rows.count == 10_000)
            for (key, row) in rows.enumerated() {
                let expected = Self.row(Int64(key))
                #expect(try ValueTests.read(row, 0, .int8) == expected[0])
                #expect(try ValueTests.read(row, 1, .text) == expected[1])
                #expect(try ValueTests.read(row, 2, .bytea) == expected[2])
            }
            #expect(try TestServer.current().psql("SELECT count(*), count(t) FROM c") == "10000|8571")
            #expect(try connection.copy(Self.sql) { _ in } == 0)
        }

        @Test("what fails leaves no row and a connection that goes on")
        func failing() throws {
            let connection = try connect()
            try Self.table(connection)
            #expect(throws: Refused.self) {
                try connection.copy(Self.sql) { writer in
                    for key in 0..<5_000 { try writer.append(Self.row(Int64(key))) }
                    throw Refused()
                }
            }
            #expect(throws: PostgreSQLError.uniqueViolation(constraint: "c_pkey")) {
                try connection.copy(Self.sql) { writer in
                    // The server finds it early, and the rest is still sent.
                    for key in 0..<50_000 { try writer.append(Self.row(Int64(key % 40_000))) }
                }
            }
            #expect(throws: PostgreSQLError.parameter(.nulInText)) {
                try connection.copy(Self.sql) { writer in try writer.append([.int8(1), .text("\0"), .bytea([])]) }
            }
            for row in [[.int8(1)], [.int4(1), .text("a"), .bytea([])]] as [[Parameter]] {
                #expect(throws: PostgreSQLError.self) { try connection.copy(Self.sql) { try $0.append(row) } }
            }
            #expect(throws: PostgreSQLError.undefinedTable(#"relation "missing" does not exist"#)) {
                try connection.copy("COPY missing FROM STDIN (FORMAT binary)") { _ in }
            }
            #expect(throws: PostgreSQLError.self) { try connection.copy("SELECT 1") { _ in } }
            #expect(try connection.execute("SELECT count(*) FROM c").first?.int8(0) == 0)
            // Whoever goes on after a row that was refused has sent nothing of it.
            let count = try connection.copy(Self.sql) { writer in
                try? writer.append([.int8(1), .text("\0"), .bytea([])])
                try writer.append(Self.row(2))
            }
            #expect(count == 1)
            var kept: CopyWriter?
            try connection.copy(Self.sql) { kept = $0 }
            #expect(throws: PostgreSQLError.closed) { try kept?.append(Self.row(3)) }
            #expect(try connection.execute("SELECT k FROM c").map { row in try row.int8(0) } == [2])
        }

        @Test("a COPY outside of its call loses the connection, and nothing hangs")
        func misplaced() throws {
            for sql in ["COPY pg_class TO STDOUT", "COPY c FROM STDIN"] {
                let connection = try connect()
                try Self.table(connection)
                #expect(throws: PostgreSQLError.self) { try connection.execute(sql) }
                #expect(connection.isClosed)
            }
            let connection = try connect()
            #expect(throws: PostgreSQLError.self) { try connection.copy("COPY pg_class TO STDOUT") { _ in } }
            #expect(connection.isClosed)
        }
    }
}
