// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import TestPostgreSQL
import Testing

@testable import StorageService

/// While the next batch is prepared.
extension PostgreSQLEngineTests.LostCommitTests {
    @Test("before it took effect: what was prepared after it is undone with it, and both are done once")
    func beforePrepared() throws {
        try PostgreSQLEngineTests.withServer { server in
            let target = try PostgreSQLEngineTests.server(server)
            let writer = try TrialWriter("a", target)
            let batches = try (0..<3).map { _ in try writer.batch(4) }
            try writer.apply(batches[0])
            let holder = try Connection(Configuration(url: target.url))
            try PostgreSQLEngineTests.Gate.insideCommit.install(holder)
            try holder.execute("SELECT pg_advisory_lock(\(PostgreSQLEngineTests.Gate.key))")
            let pid = PostgreSQLEngineTests.backend(of: writer)
            writer.offer(batches[2])
            let working = Background { try writer.apply(batches[1]) }
            try PostgreSQLEngineTests.wait(server, pid, for: "advisory")
            #expect(eventually { writer.engine.remote.offers.isEmpty })
            try server.psql("SELECT pg_terminate_backend(\(pid), 5000)")
            holder.close()
            _ = try working.value()
            #expect(writer.prepared == nil)
            #expect(writer.engine.position.rev == 8)
            try writer.apply(batches[2])
            try expect(writer, target, revisions: 12)
        }
    }

    @Test("after it took effect: what was prepared after it stays, and is written by the new connection")
    func afterPrepared() throws {
        try PostgreSQLEngineTests.withServer { server in
            let target = try PostgreSQLEngineTests.server(server)
            let writer = try TrialWriter("a", target)
            let batches = try (0..<3).map { _ in try writer.batch(4) }
            try writer.apply(batches[0])
            try Self.confirmNothing(server)
            let pid = PostgreSQLEngineTests.backend(of: writer)
            writer.offer(batches[2])
            let working = Background { try writer.apply(batches[1]) }
            #expect(try Self.endUnconfirmed(server) == "\(pid)")
            try Self.confirm(server)
            _ = try working.value()
            #expect(PostgreSQLEngineTests.backend(of: writer) != pid)
            #expect(writer.prepared == 4)
            #expect(writer.engine.position.rev == 8)
            try writer.apply(batches[2])
            try expect(writer, target, revisions: 12)
        }
    }
}
