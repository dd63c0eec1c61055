// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageRules

/// The advisory lock, which spares others the wait.
extension PostgreSQLEngineTests.SuccessionTests {
    /// The same database for one that waits longer than a test takes, so that only the lock decides.
    static func patient(_ target: PostgreSQLServer) -> PostgreSQLServer {
        var target = target
        target.patience = .seconds(600)
        return target
    }

    /// The lock of a session that has gone may still be there when the storage connects again.
    @Test("a storage that has lost its connection gets its lock back, so that nobody replaces it")
    func lockAfterLoss() throws {
        let target = try TestedEngine.newServer()
        let first = try TrialWriter("a", target)
        try first.add(2)
        let old = first.engine.session.connection
        // As if the network had gone: the engine takes it for lost, and the server does not know.
        first.engine.session.connection = try Connection(Configuration(url: target.url))
        first.engine.session.connection.close()
        try first.add(2)
        #expect(!first.engine.session.holdsLock)
        old.close()
        try blockUntil {
            first.engine.recover()
            return first.engine.session.holdsLock
        }
        let (patient, control) = (Self.patient(target), EngineControl())
        let waiting = Background {
            try patient.takeOver(run: UUIDv7.new(), control: control, logger: .silent).holdsLock
        }
        try blockUntil { control.condition == .waiting }
        for _ in 0..<8 {
            usleep(100_000)
            first.engine.recover()
        }
        #expect(control.condition == .waiting)
        control.interrupt()
        #expect(throws: EngineError.closed) { try waiting.value() }
        try first.add(2)
    }

    @Test("one that waits takes over once the writer is closed, however long its patience is")
    func closed() throws {
        let target = try TestedEngine.newServer()
        let first = try TrialWriter("a", target)
        let (patient, control) = (Self.patient(target), EngineControl())
        let waiting = Background {
            try patient.takeOver(run: UUIDv7.new(), control: control, logger: .silent).holdsLock
        }
        try blockUntil { control.condition == .waiting }
        first.engine.close()
        // This waits for a minute, a tenth of the patience.
        #expect(try waiting.value())
    }

    @Test(
        "the row of the head is locked before a row is written, also where a batch begins with a statement of its own",
        arguments: [false, true])
    func headFirst(_ beginsOtherwise: Bool) throws {
        let target = try TestedEngine.newServer()
        let writer = try TrialWriter("a", target)
        let holder = try Connection(Configuration(url: target.url))
        try PostgreSQLEngineTests.Gate.insideBatch.install(holder)
        try holder.execute("SELECT pg_advisory_lock(\(PostgreSQLEngineTests.Gate.key))")
        let batch = try writer.batch(200)
        if beginsOtherwise {
            // As do accounts, whose rows are written one by one.
            try writer.engine.set.write("SELECT 1", [])
        }
        let pid = PostgreSQLEngineTests.backend(of: writer)
        let working = Background { try writer.apply(batch) }
        try blockUntil {
            try holder.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid) AND wait_event = 'advisory'"
            ).first?.int8(0) == 1
        }
        let free = try holder.execute("SELECT count(*) FROM (SELECT 1 FROM history FOR UPDATE SKIP LOCKED) h")
        #expect(try free.first?.int8(0) == 0)
        holder.close()
        _ = try working.value()
        #expect(try TrialCheck(target).head == 200)
    }

    @Test("the silent one's end does not let a third replace the second")
    func third() throws {
        let target = try TestedEngine.newServer()
        let first = try TrialWriter("a", target)
        let second = try Self.successor("b", target)
        #expect(second.engine.session.holdsLock)
        first.engine.close()
        let (patient, control) = (Self.patient(target), EngineControl())
        let waiting = Background {
            try patient.takeOver(run: UUIDv7.new(), control: control, logger: .silent).holdsLock
        }
        try blockUntil { control.condition == .waiting }
        for _ in 0..<8 {
            usleep(100_000)
            second.engine.recover()
        }
        #expect(control.condition == .waiting)
        control.interrupt()
        #expect(throws: EngineError.closed) { try waiting.value() }
        try second.add(2)
    }
}
