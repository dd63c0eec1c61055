// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests {
    /// Another server in the place of the one that had the database.
    @Suite("Another server")
    struct FailoverTests {
        /// Both servers in one URL, as an operator would write it.
        private static func target(
            _ servers: [TestServer], isSynchronous: Bool
        ) throws -> PostgreSQLServer {
            let (hosts, ports) = (servers.map(\.directory), servers.map { "\($0.port)" })
            let url =
                "postgresql://postgres@/postgres?host=\(hosts.joined(separator: ","))&port=\(ports.joined(separator: ","))"
                + "&target_session_attrs=read-write"
            var target = PostgreSQLServer(url: try ConnectionURL(url), isSynchronous: isSynchronous)
            (target.connectTimeout, target.answerTimeout) = (.seconds(30), .seconds(60))
            return target
        }

        private static func awaitStandby(_ primary: TestServer, _ state: String) throws {
            try blockUntil("there is a standby: \(state)") {
                try primary.psql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = '\(state)'") == "1"
            }
        }

        @Test("a promoted standby that was behind: the storage that ran ends, and the next begins another history")
        func asynchronous() throws {
            try PostgreSQLEngineTests.withServer { primary in
                let writer = try TrialWriter("a", try Self.target([primary], isSynchronous: false))
                let standby = try TestServer(standbyOf: primary)
                defer { standby.close() }
                try Self.awaitStandby(primary, "async")
                let target = try Self.target([primary, standby], isSynchronous: false)
                writer.engine.close()
                let second = try TrialWriter("b", target)
                try second.add(5)
                #expect(second.engine.position.epoch == writer.engine.position.epoch)
                try blockUntil { try standby.psql("SELECT max(rev) FROM changes") == "5" }
                // What it does not hear of is acknowledged, and lost with the primary.
                standby.pause()
                try second.add(3)
                primary.crash()
                standby.resume()
                try standby.promote()
                var failure: EngineError?
                for _ in 0..<5 where failure != .superseded {
                    do { try second.add() } catch { failure = error as? EngineError }
                }
                #expect(failure == .superseded)
                let third = try TrialWriter("c", target, patience: .milliseconds(200))
                #expect(third.engine.position.epoch != second.engine.position.epoch)
                try third.add(3)
                #expect(
                    third.engine.position.rev == (try TrialCheck(Self.target([standby], isSynchronous: false)).head))
                third.engine.close()
                // And that is the history from now on.
                #expect(try TrialWriter("d", target).engine.position.epoch == third.engine.position.epoch)
            }
        }

        @Test(
            "a standby that confirms each COMMIT is promoted: the same storage goes on, and nothing acknowledged is lost"
        )
        func synchronous() throws {
            try PostgreSQLEngineTests.withServer { primary in
                let standby = try TestServer(standbyOf: primary)
                defer { standby.close() }
                try primary.set("synchronous_standby_names", "*")
                try Self.awaitStandby(primary, "sync")
                let target = try Self.target([primary, standby], isSynchronous: true)
                let writer = try TrialWriter("a", target)
                let load = Load {
                    do { try writer.add(3) } catch EngineError.unreachable { usleep(50_000) }
                }
                try load.goesOn(for: 50)
                primary.crash()
                // It was copied before the primary was told to wait for one, so that it does not wait itself.
                try standby.promote()
                try load.goesOn(for: 50)
                try load.stop()
                let epoch = writer.engine.position.epoch
                try writer.settle()
                let there = try Self.target([standby], isSynchronous: true)
                let check = try TrialCheck(there)
                check.check(writer.attempts)
                #expect(writer.attempts.allSatisfy { $0.reply != nil })
                writer.engine.close()
                let next = try TrialWriter("b", target)
                #expect(next.engine.position.epoch == epoch)
                try TrialCheck.repeatsAnswers(writer.attempts, next.engine)
            }
        }

        @Test("a dump that is read back into the same server is another history")
        func dumped() throws {
            try PostgreSQLEngineTests.withServer { server in
                try server.psql("CREATE DATABASE waymark")
                let target = try PostgreSQLEngineTests.server(server, database: "waymark")
                let first = try TrialWriter("a", target)
                try first.add(4)
                let file = server.directory + "/dump"
                try server.run("pg_dump", ["-Fc", "-f", file, "waymark"])
                try first.add(4)
                let here = first.engine.position
                first.engine.close()
                try server.psql("DROP DATABASE waymark WITH (FORCE)")
                try server.psql("CREATE DATABASE waymark")
                try server.run("pg_restore", ["-d", "waymark", file])
                let second = try TrialWriter("b", target)
                #expect(second.engine.position.epoch != here.epoch && second.engine.position.rev == 4)
                try second.add(8)
                let epoch = second.engine.position.epoch
                // Over a storage that runs it is noticed too.
                try server.run("pg_restore", ["-d", "waymark", "--clean", "--if-exists", file])
                var failure: EngineError?
                for _ in 0..<3 where failure != .superseded {
                    do { try second.add(2) } catch { failure = error as? EngineError }
                }
                #expect(failure == .superseded)
                second.engine.close()
                let third = try TrialWriter("c", target)
                #expect(third.engine.position.epoch != epoch && third.engine.position.epoch != here.epoch)
                try third.add(3)
                #expect(try TrialCheck(target).head == 7)
            }
        }
    }
}
