// SPDX-License-Identifier: Apache-2.0

import TestPostgreSQL
import TestTurns
import Testing

@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests.LostCommitTests {
    @Test(
        "after it took effect, and storage is stopped: nothing is said about the batch, and a later copy gets its answer"
    )
    func stopped() throws {
        try PostgreSQLEngineTests.withServer { server in
            let target = try PostgreSQLEngineTests.server(server)
            let writer = try TrialWriter("a", target)
            try writer.add(3)
            try Self.confirmNothing(server)
            let working = Background { try writer.add(4) }
            // Stopped before, it would not send the COMMIT.
            try blockUntil { try server.psql(Self.waiting) == "1" }
            writer.engine.control.interrupt()
            _ = try Self.endUnconfirmed(server)
            #expect(throws: EngineError.undecided) { try working.value() }
            try Self.confirm(server)
            try Self.expectDone(writer, target)
        }
    }

    @Test("after it took effect, and another storage has taken over: nothing is said about the batch either")
    func replaced() throws {
        try PostgreSQLEngineTests.withServer { server in
            let target = try PostgreSQLEngineTests.server(server)
            let writer = try TrialWriter("a", target)
            try writer.add(3)
            try Self.confirmNothing(server)
            let working = Background { try writer.add(4) }
            try blockUntil { try server.psql(Self.waiting) == "1" }
            // It waits for the row of history, before the renewal of the first one.
            let replacing = Background { try PostgreSQLEngineTests.SuccessionTests.replacing(target) }
            let blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            try blockUntil { try server.psql(blocked) == "1" }
            _ = try Self.endUnconfirmed(server)
            try blockUntil { try server.psql(Self.waiting) == "1" }
            try Self.confirm(server)
            #expect(try replacing.value() == 7)
            #expect(throws: EngineError.undecided) { try working.value() }
            #expect(writer.engine.control.condition == .superseded)
            try Self.expectDone(writer, target)
        }
    }

    private static let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

    /// The next storage has the four changes of the batch, and gives a copy of each request its answer.
    private static func expectDone(_ writer: TrialWriter, _ target: PostgreSQLServer) throws {
        writer.engine.close()
        let next = try TrialWriter("next", target, patience: .zero)
        #expect(next.engine.position.rev == 7)
        #expect(writer.attempts.filter { $0.outcome == .unknown }.count == 4)
        try TrialCheck.repeatsAnswers(writer.attempts, next.engine)
        let again = try next.engine.apply(writer.attempts.suffix(4).map(\.request))
        #expect(again.changes.isEmpty && again.replies.count == 4)
    }
}
