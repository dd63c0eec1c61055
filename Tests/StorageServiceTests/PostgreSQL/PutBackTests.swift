// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestPostgreSQL
import Testing
import WaymarkProtocol

@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests {
    /// Something older takes the place of the database, by hand.
    @Suite("Put back under a storage that runs")
    struct PutBackTests {
        /// Adds landmarks until it is told that it has been replaced, and not more often than a connection may be lost.
        private static func isRefused(_ writer: TrialWriter) -> Bool {
            var failure: EngineError?
            for _ in 0..<3 where failure != .superseded {
                do { try writer.add(2) } catch { failure = error as? EngineError }
            }
            return failure == .superseded
        }

        @Test("an older copy of the files is put under a storage that runs: it ends, and its positions are not taken")
        func olderFiles() async throws {
            let server = try TestServer()
            defer { server.close() }
            let target = try PostgreSQLEngineTests.server(server)
            let writer = try TrialWriter("a", target)
            try writer.add(3)
            server.stop()
            try server.keepFiles()
            try server.start()
            try writer.settle()
            while writer.engine.position.rev < 9 { do { try writer.add(2) } catch EngineError.unreachable {} }
            server.stop()
            try server.putBackFiles()
            try server.start()
            #expect(Self.isRefused(writer))
            let next = try TrialWriter("b", target, patience: .milliseconds(100))
            try next.add(20)
            await #expect(throws: EngineError.otherHistory) {
                try await next.engine.reader.changes(
                    since: 9, run: writer.engine.position.run, matching: .everything, limit: 10, maxBytes: 1_000)
            }
        }

        @Test("an older copy of the files, of this very term: it ends, although nobody has taken over")
        func filesOfThisTerm() throws {
            try PostgreSQLEngineTests.withServer { server in
                let writer = try TrialWriter("a", try PostgreSQLEngineTests.server(server))
                try writer.add(3)
                // Nothing is written meanwhile, so that the copy can be used like one after a crash.
                try server.psql("CHECKPOINT")
                try server.keepFiles()
                try writer.add(2)
                try writer.add(2)
                server.stop()
                try server.putBackFiles()
                try server.start()
                #expect(Self.isRefused(writer))
            }
        }

        /// Its session goes on, and the epoch and the term are its own.
        @Test("a dump of this very term: it ends, even if only an answer is missing that made no revision")
        func dumpOfThisTerm() throws {
            try PostgreSQLEngineTests.withServer { server in
                try server.psql("CREATE DATABASE waymark")
                let target = try PostgreSQLEngineTests.server(server, database: "waymark")
                let writer = try TrialWriter("a", target)
                let added = try writer.add(4)
                let file = server.directory + "/dump"
                try server.run("pg_dump", ["-Fc", "-f", file, "waymark"])
                var batch = try writer.batch(1)
                var request = batch[0].request
                request.command = .remove(
                    try #require(UUIDv7(bytes: added[0].reply?.written.id ?? .init())), ifVersion: 99)
                batch[0] = Attempt(name: batch[0].name, request: request, outcome: .unknown)
                try writer.apply(batch)
                #expect(writer.engine.position.rev == 4)
                try server.run("pg_restore", ["-d", "waymark", "--clean", "--if-exists", file])
                #expect(Self.isRefused(writer))
                #expect(try TrialCheck(target).head == 4)
            }
        }
    }
}
