// SPDX-License-Identifier: Apache-2.0

import Logging
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageRules
@testable import StorageService

@Suite("Admission, and the health of the disk", .inShortTurn)
struct AdmissionTests {
    /// - Returns: the number of reads that may start.
    private func begin(_ admission: inout Admission, _ kinds: [RequestKind]) -> Int {
        var count = 0
        for kind in kinds where admission.beginRead(kind) { count += 1 }
        return count
    }

    @Test("reads end at their limit, and the reserved kinds have room of their own beyond it")
    func reads() {
        var admission = Admission(reads: 3)
        #expect(begin(&admission, [.search, .search, .search, .search, .show]) == 3)
        let reserved = (0..<65).map { [RequestKind.snapshot, .changes, .status][$0 % 3] }
        #expect(begin(&admission, reserved) == 64)
        // The reserved reads do not leave any room for others before they are fewer than the limit.
        for _ in 0..<64 { admission.endRead() }
        #expect(begin(&admission, [.search]) == 0)
        admission.endRead()
        #expect(begin(&admission, [.search]) == 1)
    }

    @Test("it is idle when all reads and all questions for health have ended")
    func idle() {
        var admission = Admission(reads: 1)
        #expect(admission.isIdle)
        let health = (0..<65).filter { _ in admission.beginHealth() }.count
        #expect(health == 64 && !admission.isIdle)
        for _ in 0..<64 { admission.endHealth() }
        #expect(admission.isIdle)
        #expect(begin(&admission, [.show]) == 1 && !admission.isIdle)
        admission.endRead()
        #expect(admission.isIdle)
    }

    @Test("a failed commit is a problem until one succeeds, or the engine can write again")
    func trouble() {
        var disk = DiskHealth()
        #expect(disk.problem(.writable) == nil && disk.problem(nil) == nil)
        disk.failed(.notFound)
        #expect(disk.problem(.writable) == nil)
        disk.failed(.io("EIO"))
        #expect(disk.problem(.writable)?.contains("EIO") == true)
        // The sentence about the disk stays, although a later error says nothing about it.
        disk.failed(.closed)
        #expect(disk.problem(.writable)?.contains("EIO") == true)
        disk.succeeded()
        #expect(disk.problem(.writable) == nil)
        disk.failed(.full)
        disk.notice(.full(room: 1, reserve: 2), .silent)
        #expect(disk.problem(.full(room: 1, reserve: 2)) == EngineCondition.full(room: 1, reserve: 2).problem)
        disk.notice(.writable, .silent)
        #expect(disk.problem(.writable) == nil)
    }

    @Test("a failure of the compaction is new once, and again after a success or another failure")
    func retention() {
        var retention = LogRetention()
        var isNew = [EngineError.full, .full, .closed].map { retention.failed($0) }
        retention.succeeded()
        isNew.append(retention.failed(.closed))
        #expect(isNew == [true, false, true, true])
    }
}
