// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks
import PostgreSQL
import Synchronization
import TestPostgreSQL
import TestTurns
import Testing

@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests {
    /// A COMMIT whose answer does not come.
    @Suite("A COMMIT is cut off")
    struct LostCommitTests {
        enum End: CaseIterable, Sendable {
            /// As an administrator ends one.
            case terminated
            /// The whole server recovers from that.
            case killed
        }

        @Test(
            "before it took effect: the batch is done once, after the connection is there again",
            arguments: End.allCases)
        func before(_ end: End) throws {
            try PostgreSQLEngineTests.withServer { server in
                let target = try PostgreSQLEngineTests.server(server)
                let writer = try TrialWriter("a", target)
                try writer.add(3)
                let term = writer.engine.session.term.term
                let holder = try Connection(Configuration(url: target.url))
                try Gate.insideCommit.install(holder)
                try holder.execute("SELECT pg_advisory_lock(\(Gate.key))")
                let pid = PostgreSQLEngineTests.backend(of: writer)
                let working = Background { try writer.add(4) }
                try PostgreSQLEngineTests.wait(server, pid, for: "advisory")
                if end == .killed {
                    kill(pid, SIGKILL)
                } else {
                    try server.psql("SELECT pg_terminate_backend(\(pid), 30000)")
                    holder.close()
                }
                _ = try working.value()
                #expect(writer.engine.session.term.term > term, "the connection was not lost")
                #expect(PostgreSQLEngineTests.backend(of: writer) != pid)
                try writer.add(2)
                try expect(writer, target, revisions: 9)
            }
        }

        @Test("after it took effect: the batch is acknowledged, and not done again")
        func after() throws {
            try PostgreSQLEngineTests.withServer { server in
                let target = try PostgreSQLEngineTests.server(server)
                let writer = try TrialWriter("a", target)
                try writer.add(3)
                try Self.confirmNothing(server)
                let pid = PostgreSQLEngineTests.backend(of: writer)
                let working = Background { try writer.add(4) }
                #expect(try Self.endUnconfirmed(server) == "\(pid)")
                #expect(try server.psql("SELECT max(rev) FROM changes") == "7")
                try Self.confirm(server)
                _ = try working.value()
                #expect(writer.engine.session.term.commits == 2)
                #expect(PostgreSQLEngineTests.backend(of: writer) != pid)
                try writer.add(2)
                try expect(writer, target, revisions: 9)
            }
        }

        @Test("its wait for a standby is cancelled: the batch is acknowledged when a later COMMIT was confirmed")
        func cancelled() throws {
            try PostgreSQLEngineTests.withServer { server in
                let target = try PostgreSQLEngineTests.server(server)
                let writer = try TrialWriter("a", target)
                try writer.add(3)
                try server.set("synchronous_standby_names", "nobody")
                let done = Mutex(false)
                let working = Background {
                    try writer.add(4)
                    done.withLock { $0 = true }
                }
                // The batch, and the renewals after it: PostgreSQL answers each of them with COMMIT and a warning.
                var cancelled: Set<String> = []
                while cancelled.count < 3 {
                    let pid = try Self.unconfirmed(server, except: cancelled)
                    try server.psql("SET synchronous_commit = local; SELECT pg_cancel_backend(\(pid))")
                    cancelled.insert(pid)
                    #expect(!done.withLock { $0 }, "acknowledged without a standby")
                }
                try server.set("synchronous_standby_names", "")
                _ = try working.value()
                try writer.add(2)
                try expect(writer, target, revisions: 9)
            }
        }

        @Test("and the renewal of the connection too: it is still the same writer")
        func renewal() throws {
            try PostgreSQLEngineTests.withServer { server in
                let target = try PostgreSQLEngineTests.server(server)
                let writer = try TrialWriter("a", target)
                try writer.add(3)
                try Self.confirmNothing(server)
                let working = Background { try writer.add(4) }
                var ended: Set<String> = []
                // The batch, and then two renewals, each of which is done and not answered.
                while ended.count < 3 { ended.insert(try Self.endUnconfirmed(server)) }
                try Self.confirm(server)
                _ = try working.value()
                try writer.add(2)
                try expect(writer, target, revisions: 9)
            }
        }

        @Test("and so is a start: it goes on with the same run")
        func start() throws {
            try PostgreSQLEngineTests.withServer { server in
                let target = try PostgreSQLEngineTests.server(server)
                try TrialWriter("a", target).add(3)
                try Self.confirmNothing(server)
                let starting = Background { try TrialWriter("b", target, patience: .milliseconds(500)) }
                _ = try Self.endUnconfirmed(server)
                try Self.confirm(server)
                let writer = try starting.value()
                try writer.add(2)
                try expect(writer, target, revisions: 5)
            }
        }

        @Test("the whole server is stopped for longer than it is waited for, and goes on", arguments: [1, 2])
        func paused(_ batches: Int) throws {
            try PostgreSQLEngineTests.withServer { server in
                let target = try PostgreSQLEngineTests.server(server)
                var hasty = target
                (hasty.connectTimeout, hasty.answerTimeout) = (.seconds(5), .seconds(5))
                let writer = try TrialWriter("a", hasty)
                try writer.add(3)
                let (load, control) = (Self.load(writer, 2), writer.engine.control)
                for _ in 0..<batches {
                    try load.goesOn(for: 20)
                    try blockUntil { control.condition == .writable }
                    server.pause()
                    defer { server.resume() }
                    try blockUntil("it is given up") {
                        if case .unreachable = control.condition { true } else { false }
                    }
                }
                try load.goesOn(for: 20)
                try load.stop()
                try writer.settle()
                // Each pause fell into a batch, since there is always one.
                #expect(writer.engine.session.term.term > UInt64(batches))
                try expect(writer, target, revisions: nil)
            }
        }

        @Test("the whole server is killed under load, and started again", arguments: [(5, 30), (100, 8)])
        func crashed(_ size: Int, _ rounds: Int) throws {
            try PostgreSQLEngineTests.withServer(TestServer.Options(fsync: true)) { server in
                let target = try PostgreSQLEngineTests.server(server)
                let writer = try TrialWriter("a", target)
                let load = Self.load(writer, size)
                for _ in 0..<4 {
                    try load.goesOn(for: rounds)
                    usleep(.random(in: 0..<20_000))
                    server.crash()
                    try server.start()
                }
                try load.goesOn(for: rounds)
                try load.stop()
                try writer.settle()
                try expect(writer, target, revisions: nil)
            }
        }

        private static func load(_ writer: TrialWriter, _ size: Int) -> Load {
            Load {
                // A read before the COMMIT is not waited for as long as that: then the client asks again.
                do { try writer.apply(try writer.batch(size)) } catch EngineError.unreachable { usleep(20_000) }
            }
        }

        // MARK: A COMMIT that is done and not answered

        /// Nobody of this name ever confirms a COMMIT, which is done by then.
        static func confirmNothing(_ server: TestServer) throws {
            try server.set("synchronous_standby_names", "nobody")
        }

        static func confirm(_ server: TestServer) throws { try server.set("synchronous_standby_names", "") }

        /// Ends the session of the storage whose COMMIT is not confirmed.
        ///
        /// - Returns: its process.
        static func endUnconfirmed(_ server: TestServer) throws -> String {
            let pid = try unconfirmed(server, except: [])
            try server.psql("SET synchronous_commit = local; SELECT pg_terminate_backend(\(pid), 30000)")
            return pid
        }

        /// Waits for the session of the storage whose COMMIT is not confirmed. One that was told to go may be there yet.
        ///
        /// - Returns: its process.
        private static func unconfirmed(_ server: TestServer, except told: Set<String>) throws -> String {
            let waiting = """
                SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'waymark-storage'
                ORDER BY backend_start DESC LIMIT 1
                """
            var pid = ""
            try blockUntil("a COMMIT waits to be confirmed") {
                pid = try server.psql(waiting)
                return !pid.isEmpty && !told.contains(pid)
            }
            return pid
        }

        /// - Parameter revisions: how many there must be.
        func expect(_ writer: TrialWriter, _ target: PostgreSQLServer, revisions: UInt64?) throws {
            let check = try TrialCheck(target)
            check.check(writer.attempts)
            #expect(writer.attempts.allSatisfy { $0.reply != nil }, "a request has no answer")
            if let revisions { #expect(check.head == revisions) }
            try TrialCheck.repeatsAnswers(writer.attempts, writer.engine)
            writer.engine.close()
            let next = try TrialWriter("next", target)
            #expect(
                next.engine.position.rev == check.head && next.engine.position.epoch == writer.engine.position.epoch)
            try TrialCheck.repeatsAnswers(writer.attempts, next.engine)
        }
    }
}
