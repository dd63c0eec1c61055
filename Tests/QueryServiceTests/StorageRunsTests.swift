// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing

@testable import QueryService

@Suite("Which storage a query service uses", .inShortTurn)
struct StorageRunsTests {
    private static func id(_ number: UInt64) -> UUIDv7 { UUIDv7(high: 7, low: number) }
    private static func at(_ rev: UInt64, epoch: UInt64 = 1) -> Position { Position(epoch: id(epoch), rev: rev) }

    @Test("a run that was left is over, whatever its head; another new one is used")
    func left() {
        var runs = StorageRuns()
        for (run, isAdmitted) in [(1, true), (1, true), (2, true), (1, false), (2, true), (3, true), (2, false)] {
            let admitted = runs.admit(Self.id(UInt64(run)), at: Self.at(10), known: Self.at(10))
            #expect(admitted == isAdmitted)
        }
        #expect(runs.current == Self.id(3))
    }

    @Test("one whose head is below what was seen is an earlier one; in another epoch revisions mean nothing")
    func behind() {
        var runs = StorageRuns()
        let steps: [(UInt64, Position, Position?, Bool)] = [
            (1, Self.at(10), nil, true), (2, Self.at(9), Self.at(10), false), (1, Self.at(10), Self.at(10), true),
            (2, Self.at(10), Self.at(10), true), (3, Self.at(1, epoch: 2), Self.at(10), true),
        ]
        for (run, position, known, isAdmitted) in steps {
            let admitted = runs.admit(Self.id(run), at: position, known: known)
            #expect(admitted == isAdmitted)
        }
    }
}
