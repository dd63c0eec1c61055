// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import TestPostgreSQL
import Testing

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests {
    @Suite("A server that cannot be used")
    struct UnfitServerTests {
        /// The sentence with which a server is refused.
        private static func refusal(_ target: PostgreSQLServer) throws -> String {
            let error = #expect(throws: EngineError.self) {
                _ = try PostgreSQLEngine(
                    target, directory: nil, run: UUIDv7.new(), tuning: EngineTuning(), control: EngineControl(),
                    logger: .silent)
            }
            let sentence = error?.description ?? ""
            #expect(sentence.hasSuffix(".") && !sentence.contains("\n"))
            return sentence
        }

        @Test("one that acknowledges a COMMIT before it is durable", arguments: ["off", "local", "remote_write"])
        func synchronousCommit(_ value: String) throws {
            let target = try TestedEngine.newServer()
            let connection = try Connection(Configuration(url: target.url))
            try connection.execute("CREATE ROLE hasty_\(value) LOGIN SUPERUSER")
            try connection.execute("ALTER ROLE hasty_\(value) SET synchronous_commit = \(value)")
            let hasty = try TestedEngine.server(user: "hasty_\(value)")
            let sentence = try Self.refusal(hasty)
            #expect(sentence.contains("synchronous_commit is \(value)") && sentence.contains("set it to on"))
        }

        @Test("a standby, which nothing can be written to")
        func standby() throws {
            try PostgreSQLEngineTests.withServer { primary in
                let standby = try TestServer(standbyOf: primary)
                defer { standby.close() }
                let sentence = try Self.refusal(try PostgreSQLEngineTests.server(standby))
                #expect(sentence.contains("it is a standby") && sentence.contains("target_session_attrs=read-write"))
            }
        }

        @Test("a version without pipelines")
        func version() throws {
            let error = #expect(throws: EngineError.self) { try ServerCheck.require(version: 130_023) }
            #expect(error?.description.contains("older than PostgreSQL 14: upgrade it") == true)
            #expect(throws: Never.self) { try ServerCheck.require(version: 140_000) }
        }

        @Test("tables of a later release")
        func laterSchema() throws {
            let target = try TestedEngine.newServer()
            try TrialWriter("a", target).add()
            let connection = try Connection(Configuration(url: target.url))
            try connection.execute("INSERT INTO waymark_migrations VALUES ('9 later')")
            let sentence = try Self.refusal(target)
            #expect(sentence.contains("newer release") && sentence.contains("9 later"))
            // Nothing was done to them.
            #expect(try connection.execute("SELECT term FROM history").first?.int8(0) == 1)
        }

        @Test("tables from before the first release")
        func beforeTheFirstRelease() throws {
            let target = try TestedEngine.newServer()
            try TrialWriter("a", target).add()
            let connection = try Connection(Configuration(url: target.url))
            try connection.execute("UPDATE waymark_migrations SET name = '1 history' WHERE name = '1 landmarks'")
            let sentence = try Self.refusal(target)
            #expect(sentence.contains("before 0.1.0") && sentence.contains("waymark list --all -o json"))
            #expect(try connection.execute("SELECT term FROM history").first?.int8(0) == 1)
        }

        @Test("one where nobody answers, and one that lets nobody in")
        func unreachable() throws {
            let nowhere = PostgreSQLServer(
                url: try ConnectionURL("postgresql://postgres@127.0.0.1:9/postgres"), isSynchronous: false)
            #expect(try Self.refusal(nowhere).contains("not reachable"))
            let stranger = try TestedEngine.server(user: "nobody_of_this_name")
            #expect(try Self.refusal(stranger).contains("nobody_of_this_name"))
        }
    }
}
