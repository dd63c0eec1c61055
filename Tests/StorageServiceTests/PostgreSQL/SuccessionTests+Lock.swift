// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import PostgreSQL
import TestPostgreSQL
import Testing

@testable import StorageService

/// The advisory lock, which spares others the wait.
extension PostgreSQLEngineTests.SuccessionTests {
    /// The lock of a session that has gone may still be there when the storage connects again.
    @Test("a storage that has lost its connection gets its lock back, so that nobody replaces it")
    func lockAfterLoss() throws {
        let target = try TestedEngine.newServer()
        let first = try TrialWriter("a", target)
        try first.add(2)
        let old = first.engine.set.writer
        // As if the network had gone: the engine takes it for lost, and the server does not know.
        first.engine.set.writer = try Connection(Configuration(url: target.url))
        first.engine.set.writer.close()
        try first.add(2)
        #expect(!first.engine.holdsLock)
        old.close()
        let isBack = eventually {
            first.engine.recover()
            return first.engine.holdsLock
        }
        #expect(isBack)
        let remote = EngineRemote()
        let waiting = Background {
            try target.take(run: SQLiteEngine.newID(), remote: remote, logger: .silent).holdsLock
        }
        for _ in 0..<8 {
            usleep(100_000)
            first.engine.recover()
        }
        #expect(remote.condition == .waiting)
        remote.interrupt()
        #expect(throws: EngineError.closed) { try waiting.value() }
        try first.add(2)
    }

    @Test("the silent one's end does not let a third replace the second")
    func third() throws {
        let target = try TestedEngine.newServer()
        let first = try TrialWriter("a", target)
        let second = try Self.successor("b", target)
        #expect(second.engine.holdsLock)
        first.engine.close()
        let remote = EngineRemote()
        let waiting = Background {
            try target.take(run: SQLiteEngine.newID(), remote: remote, logger: .silent).holdsLock
        }
        for _ in 0..<8 {
            usleep(100_000)
            second.engine.recover()
        }
        #expect(remote.condition == .waiting)
        remote.interrupt()
        #expect(throws: EngineError.closed) { try waiting.value() }
        try second.add(2)
    }
}
