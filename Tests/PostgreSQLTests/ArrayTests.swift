// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Testing

extension PostgreSQLTests {
    @Suite("Arrays")
    struct ArrayTests {
        @Test("arrays of all types become rows by unnest, with NULLs and empty values in them")
        func unnest() throws {
            let connection = try connect()
            try connection.execute(
                "CREATE TEMP TABLE u (n int8, c int8, d float8, e text, f bytea)")
            let types: [ParameterType] = [.int8Array, .int8Array, .float8Array, .textArray, .byteaArray]
            let insert = try connection.prepare(
                """
                INSERT INTO u SELECT * FROM unnest($1::int8[], $2::int8[], $3::float8[], $4::text[], $5::bytea[])
                """, types)
            let count = try connection.run(
                insert,
                [
                    .int8Array([0, 1, 2]), .int8Array([.max, nil, .min]), .float8Array([-0.0, nil, .infinity]),
                    .textArray(["", nil, "a,{}\"'"]), .byteaArray([[], nil, [0, 255]]),
                ]
            ).affectedRows
            #expect(count == 3)
            let rows = try connection.execute("SELECT c, d, e, f FROM u ORDER BY n")
            let last = rows[2]
            let first = rows[0]
            let isEmpty = try first.float8(1).sign == .minus && first.text(2) == "" && first.bytea(3) == []
            #expect(try first.int8(0) == .max && isEmpty)
            #expect((0..<4).allSatisfy { rows[1].isNull($0) })
            let isQuoted = try last.float8(1) == .infinity && last.text(2) == "a,{}\"'" && last.bytea(3) == [0, 255]
            #expect(try last.int8(0) == .min && isQuoted)
        }

        @Test("an empty array has no rows, a NULL one neither, and 100,000 elements all of theirs")
        func sizes() throws {
            let connection = try connect()
            let count = "SELECT count(*) FROM unnest($1::bytea[])"
            for (array, expected) in [
                (Parameter.byteaArray([]), 0), (.byteaArray(nil), 0), (.byteaArray([nil]), 1),
                (.byteaArray(Array(repeating: [1, 2, 3], count: 100_000)), 100_000),
            ] as [(Parameter, Int64)] {
                #expect(try connection.execute(count, [array]).first?.int8(0) == expected)
            }
            let empty = try connection.execute(
                "SELECT $1 = '{}'::int8[] AND cardinality($1) = 0 AND array_ndims($1) IS NULL", [.int8Array([])])
            #expect(try empty.first?.bool(0) == true)
            let sum = try connection.execute(
                "SELECT sum(x)::int8 FROM unnest($1::int8[]) x", [.int8Array((1...100_000).map { Int64($0) })])
            #expect(try sum.first?.int8(0) == 5_000_050_000)
        }

        @Test("random arrays of all types are what PostgreSQL counts and gives back")
        func random() throws {
            let connection = try connect()
            var random = RandomValues(seed: 7)
            let pairs: [(ParameterType, ParameterType)] = [
                (.int8Array, .int8), (.float8Array, .float8), (.textArray, .text), (.byteaArray, .bytea),
            ]
            for _ in 0..<40 {
                for (array, element) in pairs {
                    let value = random.value(array)
                    let rows = try connection.run(
                        connection.prepare("SELECT x FROM unnest($1) WITH ORDINALITY AS u(x, n) ORDER BY n", [array]),
                        [value])
                    let elements = Self.elements(value)
                    #expect(rows.count == elements.count)
                    for (row, expected) in zip(rows, elements) {
                        #expect(ValueTests.areSame(try ValueTests.read(row, 0, element), expected))
                    }
                }
            }
        }

        private static func elements(_ array: Parameter) -> [Parameter] {
            switch array {
            case .int8Array(let all): (all ?? []).map { .int8($0) }
            case .float8Array(let all): (all ?? []).map { .float8($0) }
            case .textArray(let all): (all ?? []).map { .text($0) }
            case .byteaArray(let all): (all ?? []).map { .bytea($0) }
            default: []
            }
        }
    }
}
