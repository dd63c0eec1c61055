// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import WaymarkCLI

@Suite("Rows of a commit", .inShortTurn)
struct CLIWritesSoFarTests {
    @Test("the number of writes between two polls of storage, for each flush")
    func rows() {
        let before = WritesSoFar(commits: 10, commands: 1_000)
        #expect(WritesSoFar.rowsPerCommit(from: before, to: WritesSoFar(commits: 20, commands: 2_280)) == 128)
        #expect(WritesSoFar.rowsPerCommit(from: before, to: WritesSoFar(commits: 12, commands: 1_001)) == 1)
        #expect(WritesSoFar.rowsPerCommit(from: before, to: before) == nil)
        // Storage was restarted in between.
        #expect(WritesSoFar.rowsPerCommit(from: before, to: WritesSoFar(commits: 1, commands: 1)) == nil)
        #expect(WritesSoFar.rowsPerCommit(from: nil, to: before) == nil)
    }

    @Test("a service without these counters gives no result")
    func status() {
        var status = WireStorageStatus()
        #expect(WritesSoFar(StorageStatus(status)) == nil)
        for (name, value) in [("commits", 3), ("commands", 5)] as [(String, UInt64)] {
            status.counters.append(.with { ($0.name, $0.value) = (name, value) })
        }
        #expect(WritesSoFar(StorageStatus(status)) == WritesSoFar(commits: 3, commands: 5))
    }
}
