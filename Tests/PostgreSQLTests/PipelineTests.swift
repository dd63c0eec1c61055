// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Testing

extension PostgreSQLTests {
    @Suite("Pipelines")
    struct PipelineTests {
        /// An outcome in a word.
        private static func word(_ result: Result<ResultRows, PostgreSQLError>) -> String {
            switch result {
            case .success(let rows): rows.commandTag
            case .failure(.pipelineAborted): "aborted"
            case .failure(.uniqueViolation(let constraint)): constraint
            case .failure(let error): "\(error)"
            }
        }

        @Test("answers come in the order of the statements")
        func order() throws {
            let connection = try connect()
            let select = try connection.prepare("SELECT $1 * 2", [.int8])
            var pipeline = Pipeline()
            for number in 0..<500 {
                try pipeline.run(select, [.int8(Int64(number))])
                if number % 100 == 7 { pipeline.sync() }
            }
            let results = try connection.run(pipeline)
            #expect(results.count == 500)
            for (number, result) in results.enumerated() {
                #expect(try result.get().first?.int8(0) == Int64(number) * 2)
            }
            #expect(try connection.run(Pipeline()).isEmpty)
            #expect(try connection.run(select, [.int8(4)]).first?.int8(0) == 8)
        }

        @Test("an error is told at its own statement, what follows it is not run, and the next part is")
        func error() throws {
            let connection = try connect()
            try connection.execute("CREATE TEMP TABLE p (k int8 CONSTRAINT p_key PRIMARY KEY)")
            let insert = try connection.prepare("INSERT INTO p VALUES ($1)", [.int8])
            var pipeline = Pipeline()
            try pipeline.run(insert, [.int8(1)])
            pipeline.sync()
            for key in [2, 1, 3] as [Int64] { try pipeline.run(insert, [.int8(key)]) }
            try pipeline.execute("SELECT nothing")
            pipeline.sync()
            try pipeline.run(insert, [.int8(4)])
            let words = try connection.run(pipeline).map(Self.word)
            #expect(words == ["INSERT 0 1", "INSERT 0 1", "p_key", "aborted", "aborted", "INSERT 0 1"])
            // 2 was in the part that failed.
            let keys = try connection.execute("SELECT k FROM p ORDER BY k")
            #expect(try keys.map { row in try row.int8(0) } == [1, 4])
            #expect(!connection.isInsideTransaction && !connection.isClosed)
        }

        @Test("a whole transaction in one pipeline, committed or undone")
        func transaction() throws {
            let connection = try connect()
            try connection.execute("CREATE TEMP TABLE p (k int8 PRIMARY KEY)")
            for (keys, expected) in [
                ([1, 2], ["BEGIN", "INSERT 0 1", "INSERT 0 1", "COMMIT"]),
                ([3, 3], ["BEGIN", "INSERT 0 1", "p_pkey", "aborted"]),
            ] as [([Int64], [String])] {
                var pipeline = Pipeline()
                try pipeline.execute("BEGIN")
                for key in keys { try pipeline.execute("INSERT INTO p VALUES ($1)", [.int8(key)]) }
                try pipeline.execute("COMMIT")
                #expect(try connection.run(pipeline).map(Self.word) == expected)
            }
            #expect(connection.isInsideTransaction)
            var late = Pipeline()
            try late.execute("COMMIT")
            let result = try #require(try connection.run(late).first)
            #expect(throws: PostgreSQLError.rolledBack) { try result.get() }
            #expect(!connection.isInsideTransaction)
            #expect(try connection.execute("SELECT count(*) FROM p").first?.int8(0) == 2)
        }

        @Test("a rule that is checked at the end of a part undoes what had succeeded in it, and only that")
        func deferred() throws {
            let connection = try connect()
            try connection.execute(
                "CREATE TEMP TABLE d (k int8 CONSTRAINT d_key UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let insert = try connection.prepare("INSERT INTO d VALUES ($1)", [.int8])
            var pipeline = Pipeline()
            try pipeline.run(insert, [.int8(1)])
            pipeline.sync()
            for key in [2, 3, 3] as [Int64] { try pipeline.run(insert, [.int8(key)]) }
            pipeline.sync()
            try pipeline.execute("BEGIN")
            try pipeline.run(insert, [.int8(4)])
            try pipeline.execute("COMMIT")
            try pipeline.run(insert, [.int8(1)])
            pipeline.sync()
            try pipeline.run(insert, [.int8(5)])
            let words = try connection.run(pipeline).map(Self.word)
            let rolledBack = "\(PostgreSQLError.rolledBack)"
            #expect(
                words == [
                    "INSERT 0 1", rolledBack, rolledBack, "d_key", "BEGIN", "INSERT 0 1", "COMMIT", "d_key",
                    "INSERT 0 1",
                ])
            let keys = try connection.execute("SELECT k FROM d ORDER BY k")
            #expect(try keys.map { row in try row.int8(0) } == [1, 4, 5])
        }

        @Test("nothing of a pipeline is sent of which a parameter is refused")
        func refused() throws {
            let connection = try connect()
            let insert = try connection.prepare("SELECT $1", [.text])
            var pipeline = Pipeline()
            #expect(throws: PostgreSQLError.parameter(.nulInText)) { try pipeline.run(insert, [.text("\0")]) }
            #expect(throws: PostgreSQLError.self) { try pipeline.run(insert, [.int8(1)]) }
            #expect(throws: PostgreSQLError.parameter(.nulInText)) { try pipeline.execute("\0") }
            #expect(pipeline.count == 0)
        }

        @Test("much in both directions at once: neither side waits for the other for ever")
        func large() throws {
            let connection = try connect()
            let echo = try connection.prepare("SELECT $1", [.bytea])
            var pipeline = Pipeline()
            for number in 0..<64 { try pipeline.run(echo, [.bytea(Array(repeating: UInt8(number), count: 500_000))]) }
            let results = try connection.run(pipeline)
            for (number, result) in results.enumerated() {
                let (first, count) = try #require(try result.get().first).withBytea(0) { ($0.first, $0.count) }
                #expect(first == UInt8(number) && count == 500_000)
            }
        }

        @Test("COPY has no place in a pipeline: the connection is lost, and nothing hangs")
        func copy() throws {
            let connection = try connect()
            var pipeline = Pipeline()
            try pipeline.execute("COPY pg_class TO STDOUT")
            try pipeline.execute("SELECT 1")
            let error = PostgreSQLTests.error { _ = try connection.run(pipeline) }
            guard case .connectionLost? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(connection.isClosed)
        }

        @Test(
            "a COPY loses the connection, and nothing hangs",
            arguments: ["COPY pg_class TO STDOUT", "COPY c FROM STDIN"])
        func copyAlone(sql: String) throws {
            let connection = try connect()
            try connection.execute("CREATE TEMP TABLE c (k int8)")
            #expect(throws: PostgreSQLError.self) { try connection.execute(sql) }
            #expect(connection.isClosed)
        }
    }
}
