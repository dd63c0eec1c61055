// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TestPostgreSQL
import Testing

extension PostgreSQLTests {
    @Suite("Values")
    struct ValueTests {
        /// One of each type, and what psql has to print for it.
        private static let extremes: [(Parameter, String)] = [
            (.bool(true), "true"), (.bool(false), "false"), (.bool(nil), ""),
            (.int4(.min), "-2147483648"), (.int4(.max), "2147483647"), (.int4(-1), "-1"), (.int4(nil), ""),
            (.int8(.min), "-9223372036854775808"), (.int8(.max), "9223372036854775807"), (.int8(0), "0"),
            (.int8(nil), ""),
            (.float8(-0.0), "-0"), (.float8(.nan), "NaN"), (.float8(-.infinity), "-Infinity"),
            (.float8(.greatestFiniteMagnitude), "1.7976931348623157e+308"), (.float8(.leastNonzeroMagnitude), "5e-324"),
            (.float8(0.1), "0.1"), (.float8(nil), ""),
            (.text(""), ""), (.text("Patiāla 𝄞 \u{1}\u{7f}"), "Patiāla 𝄞 \u{1}\u{7f}"), (.text(nil), ""),
            (.text("'; DROP TABLE v; --\\\"$1%s"), "'; DROP TABLE v; --\\\"$1%s"),
            (.bytea([]), "\\x"), (.bytea([0, 255, 39, 92]), "\\x00ff275c"), (.bytea(nil), ""),
        ]

        static func read(_ row: ResultRow, _ column: Int, _ type: ParameterType) throws -> Parameter? {
            let isNull = row.isNull(column)
            return switch type {
            case .bool: .bool(isNull ? nil : try row.bool(column))
            case .int4: .int4(isNull ? nil : try row.int4(column))
            case .int8: .int8(isNull ? nil : try row.int8(column))
            case .float8: .float8(isNull ? nil : try row.float8(column))
            case .text: .text(isNull ? nil : try row.text(column))
            case .bytea: .bytea(isNull ? nil : try row.bytea(column))
            default: nil
            }
        }

        /// NaN is not equal to itself, and -0 is to 0.
        static func areSame(_ one: Parameter?, _ other: Parameter?) -> Bool {
            if case .float8(let one?)? = one, case .float8(let other?)? = other {
                return one.bitPattern == other.bitPattern
            }
            return one == other
        }

        @Test("each type comes back as it was, and psql sees the same")
        func extremes() throws {
            let connection = try connect()
            for (value, printed) in Self.extremes {
                for isPrepared in [false, true] {
                    let sql = "SELECT $1, $1::text"
                    let rows =
                        isPrepared
                        ? try connection.run(try connection.prepare(sql, [value.type]), [value])
                        : try connection.execute(sql, [value])
                    let row = try #require(rows.first)
                    #expect(Self.areSame(try Self.read(row, 0, value.type), value), "\(value)")
                    #expect(row.isNull(1) == row.isNull(0))
                    if !row.isNull(1) { #expect(try row.text(1) == printed) }
                }
            }
            try connection.executeScript("DROP TABLE IF EXISTS seen; CREATE TABLE seen (k int, t text, b bytea)")
            try connection.execute(
                "INSERT INTO seen VALUES ($1, $2, $3)", [.int4(7), .text("Patiāla"), .bytea([0, 254])])
            #expect(try TestServer.current().psql("SELECT * FROM seen") == "7|Patiāla|\\x00fe")
        }

        @Test("2,000 random values of all types come back, in one row each")
        func random() throws {
            let connection = try connect()
            try connection.execute(
                "CREATE TEMP TABLE v (n int8, a bool, b int4, c int8, d float8, e text, f bytea)")
            let types: [ParameterType] = [.bool, .int4, .int8, .float8, .text, .bytea]
            let insert = try connection.prepare(
                "INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7)", [.int8] + types)
            let select = try connection.prepare("SELECT a, b, c, d, e, f FROM v WHERE n = $1", [.int8])
            var random = RandomValues(seed: 20_261_124)
            for number in 0..<286 {
                let values = types.map { random.value($0) }
                #expect(try connection.run(insert, [.int8(Int64(number))] + values).affectedRows == 1)
                let row = try #require(try connection.run(select, [.int8(Int64(number))]).first)
                for (column, value) in values.enumerated() {
                    #expect(Self.areSame(try Self.read(row, column, value.type), value), "\(number): \(value)")
                }
            }
        }

        @Test("hostile texts are stored as they are, and one with NUL is refused before it is sent")
        func hostile() throws {
            let connection = try connect()
            try connection.execute("CREATE TEMP TABLE h (t text, c varchar(40), n name)")
            let insert = try connection.prepare("INSERT INTO h VALUES ($1, 'fixed', 'name') RETURNING t", [.text])
            for text in [
                "'; DROP TABLE h; --", "\\'\\\\", "$$ $1 %s %n", "\u{202e}\u{feff}\u{fffd}", "\n\r\t\u{1b}[2J", "🇫🇮👩‍👩‍👧‍👦",
                String(repeating: "é", count: 100_000), "e\u{301}", "NULL", "{1,2}", "\u{10ffff}",
            ] {
                let stored = try #require(try connection.run(insert, [.text(text)]).first).text(0)
                #expect(Array(stored.utf8) == Array(text.utf8))
            }
            for values in [[.text("a\0b")], [.text("\0")]] as [[Parameter]] {
                #expect(throws: PostgreSQLError.parameter(.nulInText)) { try connection.run(insert, values) }
            }
            #expect(throws: PostgreSQLError.parameter(.nulInText)) {
                try connection.execute("SELECT $1", [.textArray(["a", nil, "b\0"])])
            }
            #expect(throws: PostgreSQLError.parameter(.nulInText)) { try connection.execute("SELECT 1; \0") }
            #expect(throws: PostgreSQLError.parameter(.nulInText)) { try connection.executeScript("SELECT 1; \0") }
            #expect(throws: PostgreSQLError.parameter(.nulInText)) { try connection.prepare("SELECT 1 \0") }
            let row = try #require(try connection.execute("SELECT c, n, 'x'::char(3) FROM h").first)
            let texts = (try row.text(0), try row.text(1), try row.text(2))
            #expect(texts == ("fixed", "name", "x  "))
            #expect(try connection.execute("SELECT count(*) FROM h").first?.int8(0) == 11)
        }

        @Test("a value of another type, NULL, and a column that is not there are errors, never traps")
        func wrongReads() throws {
            let connection = try connect()
            let rows = try connection.execute(
                "SELECT 1::int8 AS a, NULL::int8, 'x'::text, 1.5::numeric, 2::int2, 3::int4")
            let row = try #require(rows.first)
            #expect(throws: ColumnError.wrongType(column: 0, oid: 20)) { try row.int4(0) }
            #expect(throws: ColumnError.wrongType(column: 0, oid: 20)) { try row.text(0) }
            #expect(throws: ColumnError.wrongType(column: 0, oid: 20)) { try row.float8(0) }
            #expect(throws: ColumnError.wrongType(column: 5, oid: 23)) { try row.int8(5) }
            #expect(throws: ColumnError.wrongType(column: 4, oid: 21)) { try row.int4(4) }
            #expect(throws: ColumnError.wrongType(column: 2, oid: 25)) { try row.bytea(2) }
            #expect(throws: ColumnError.wrongType(column: 3, oid: 1_700)) { try row.bool(3) }
            #expect(throws: ColumnError.isNull(column: 1)) { try row.int8(1) }
            for column in [-1, 6, .max, .min] {
                #expect(throws: ColumnError.noColumn(column)) { try row.int8(column) }
                #expect(row.isNull(column))
            }
            for index in [1, -1, Int.max] {
                #expect(throws: ColumnError.noColumn(0)) { try rows[index].int8(0) }
            }
            #expect(rows.count == 1 && rows.commandTag == "SELECT 1")
        }

        @Test("parameters that do not fit are refused before they are sent")
        func wrongParameters() throws {
            let connection = try connect()
            let statement = try connection.prepare("SELECT $1, $2", [.int8, .float8])
            #expect(throws: PostgreSQLError.parameter(.wrongCount(expected: 2, given: 1))) {
                try connection.run(statement, [.int8(1)])
            }
            // The same number of bytes: PostgreSQL could not tell.
            #expect(throws: PostgreSQLError.parameter(.wrongType(parameter: 2, expected: .float8, given: .int8))) {
                try connection.run(statement, [.int8(1), .int8(2)])
            }
            let many = Array(repeating: Parameter.bool(true), count: 65_536)
            #expect(throws: PostgreSQLError.parameter(.tooMany(65_536))) { try connection.execute("SELECT 1", many) }
            #expect(throws: PostgreSQLError.parameter(.tooMany(65_536))) {
                try connection.prepare("SELECT 1", many.map(\.type))
            }
            let list = (1...65_535).map { "$\($0)" }.joined(separator: ",")
            let row = try connection.execute("SELECT true = ALL (ARRAY[\(list)])", Array(many.dropLast())).first
            #expect(try row?.bool(0) == true)
        }
    }
}
