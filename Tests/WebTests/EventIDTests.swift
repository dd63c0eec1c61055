// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing

@testable import Web

@Suite(.inShortTurn)
struct EventIDTests {
    private let epoch = UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_8a41_c7e5)
    private let run = UUIDv7(high: 0x0193_3c6e_80d1_7e55, low: 0xa1c4_77b0_a5e3_d2f9)

    @Test
    func anIDIsReadAsItIsWritten() {
        for run in [run, nil] {
            let position = Position(epoch: epoch, rev: .max, run: run)
            #expect(Position(eventID: position.eventID) == position)
        }
        #expect(Position(eventID: "\(epoch)-7") == Position(epoch: epoch, rev: 7))
    }

    @Test
    func otherTextsAreNone() {
        let texts = [
            "", "-", "7", "\(epoch)", "\(epoch)-", "\(epoch)--7", "\(epoch)-\(run)", "\(epoch)-\(run)7",
            "\(epoch)\(run)-7",
            "\(epoch)-\(run)-7-8", "\(epoch)-\(run)--8", "\(epoch)x\(run)-7", "\(epoch)-18446744073709551616",
            "\(epoch)-\(run)-é", "é\(epoch)-7",
        ]
        for text in texts { #expect(Position(eventID: text) == nil, "\(text)") }
    }

    @Test
    func theRingKnowsThePositionsOfItsRunsOnly() throws {
        let later = UUIDv7(high: run.high, low: run.low + 1)
        var ring = ChangeRing(bytes: 1_000_000, count: 4)
        ring.begin(at: Position(epoch: epoch, rev: 3, run: run))
        #expect(ring.entries(after: Position(epoch: epoch, rev: 3, run: run), most: 9)?.isEmpty == true)
        #expect(ring.entries(after: Position(epoch: epoch, rev: 3), most: 9)?.isEmpty == true)
        #expect(ring.entries(after: Position(epoch: epoch, rev: 3, run: later), most: 9) == nil)
    }
}
