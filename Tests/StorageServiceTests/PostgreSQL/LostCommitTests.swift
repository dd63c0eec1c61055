// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks
import PostgreSQL
import Synchronization
import TestPostgreSQL
import Testing

@testable import StorageService

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
                let term = writer.engine.term.term
                let holder = try Connection(Configuration(url: target.url))
                try Gate.insideCommit.install(holder)
                try holder.execute("SELECT pg_advisory_lock(\(Gate.key))")
                let pid = PostgreSQLEngineTests.backend(of: writer)
                let working = Background { try writer.add(4) }
                try PostgreSQLEngineTests.wait(server, pid, for: "advisory")
                if end == .killed {
                    kill(pid, SIGKILL)
                } else {
                    try server.psql("SELECT pg_terminate_backend(\(pid), 5000)")
                    holder.close()
                }
                _ = try working.value()
                #expect(writer.engine.term.term > term, "the connection was not lost")
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
                // Nobody of this name ever confirms a COMMIT, which is done by then.
                try server.set("synchronous_standby_names", "nobody")
                let pid = PostgreSQLEngineTests.backend(of: writer)
                let working = Background { try writer.add(4) }
                try PostgreSQLEngineTests.wait(server, pid, for: "SyncRep")
                try server.psql("SET synchronous_commit = local; SELECT pg_terminate_backend(\(pid), 5000)")
                #expect(try server.psql("SELECT max(rev) FROM changes") == "7")
                try server.set("synchronous_standby_names", "")
                _ = try working.value()
                #expect(writer.engine.term.commits == 2)
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
                    let waiting = """
                        SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'waymark-storage'
                        """
                    #expect(try eventually { try !server.psql(waiting).isEmpty })
                    let pid = try server.psql(waiting)
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
                try server.set("synchronous_standby_names", "nobody")
                let working = Background { try writer.add(4) }
                var ended: Set<String> = []
                // The batch, and then two renewals, each of which is done and not answered.
                while ended.count < 3 {
                    let waiting = """
                        SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'waymark-storage'
                        """
                    #expect(try eventually { try !server.psql(waiting).isEmpty })
                    let pid = try server.psql(waiting)
                    try server.psql("SET synchronous_commit = local; SELECT pg_terminate_backend(\(pid), 5000)")
                    ended.insert(pid)
                }
                try server.set("synchronous_standby_names", "")
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
                try server.set("synchronous_standby_names", "nobody")
                let starting = Background { try TrialWriter("b", target, patience: .milliseconds(500)) }
                let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                #expect(try eventually { try !server.psql(waiting).isEmpty })
                let pid = try server.psql(waiting)
                try server.psql("SET synchronous_commit = local; SELECT pg_terminate_backend(\(pid), 5000)")
                try server.set("synchronous_standby_names", "")
                let writer = try starting.value()
                try writer.add(2)
                try expect(writer, target, revisions: 5)
            }
        }

        @Test("the whole server is stopped for longer than it is waited for, and goes on", arguments: [1, 2])
        func paused(_ batches: Int) throws {
            try PostgreSQLEngineTests.withServer { server in
                let target = try PostgreSQLEngineTests.server(server)
                let writer = try TrialWriter("a", target)
                try writer.add(3)
                // A read before the COMMIT is not waited for any longer: then the client asks again.
                let load = Load {
                    do { try writer.add(2, isCertain: false) } catch EngineError.unreachable { usleep(20_000) }
                }
                for _ in 0..<batches {
                    #expect(load.goesOn(for: 20))
                    server.pause()
                    usleep(4_500_000)
                    server.resume()
                }
                #expect(load.goesOn(for: 20))
                try load.stop()
                try writer.settle()
                // Each pause fell into a batch, since there is always one.
                #expect(writer.engine.term.term > UInt64(batches))
                try expect(writer, target, revisions: nil)
            }
        }

        @Test("the whole server is killed under load, and started again")
        func crashed() throws {
            try PostgreSQLEngineTests.withServer(TestServer.Options(fsync: true)) { server in
                let target = try PostgreSQLEngineTests.server(server)
                let writer = try TrialWriter("a", target)
                let load = Load {
                    do { try writer.add(5, isCertain: false) } catch EngineError.unreachable { usleep(20_000) }
                }
                for _ in 0..<4 {
                    #expect(load.goesOn(for: 30))
                    usleep(.random(in: 0..<20_000))
                    server.crash()
                    try server.start()
                }
                #expect(load.goesOn(for: 30))
                try load.stop()
                try writer.settle()
                try expect(writer, target, revisions: nil)
            }
        }

        /// - Parameter revisions: how many there must be.
        private func expect(_ writer: TrialWriter, _ target: PostgreSQLServer, revisions: UInt64?) throws {
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
