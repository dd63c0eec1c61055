// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestTurns
import Testing

@Suite("What came of numbered messages", .inShortTurn)
struct SequenceLedgerTests {
    private func ledger(_ numbers: [UInt64]) -> SequenceLedger {
        var ledger = SequenceLedger()
        for number in numbers { ledger.receive(number) }
        return ledger
    }

    @Test("nothing is wrong with numbers in order")
    func inOrder() {
        let ledger = ledger(Array(1...100))
        #expect(ledger.received == 100 && ledger.lost(of: 100) == 0 && ledger.repeats == 0 && ledger.reorders == 0)
    }

    @Test("what is missing, at the end too")
    func lost() {
        #expect(ledger([1, 2, 5, 6]).lost(of: 8) == 4)
        #expect(ledger([]).lost(of: 3) == 3)
    }

    @Test("what came twice is no message more, in a hole that was filled neither")
    func repeated() {
        let ledger = ledger([1, 2, 2, 5, 3, 3, 5])
        #expect(ledger.repeats == 3 && ledger.received == 4 && ledger.reorders == 1 && ledger.lost(of: 5) == 1)
    }

    @Test("a number that no sender comes to is none")
    func greatest() {
        let ledger = ledger([1, .max, .max, SequenceLedger.greatest + 1, 2])
        #expect(ledger.received == 2 && ledger.highest == 2 && ledger.repeats == 0 && ledger.reorders == 0)
    }

    @Test("against a plain set, with whatever comes")
    func model() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var (ledger, seen, highest) = (SequenceLedger(), Set<UInt64>(), UInt64(0))
            var (repeats, reorders) = (UInt64(0), UInt64(0))
            for _ in 0..<300 {
                let number = 1 + random.next() % 120
                let isNew = seen.insert(number).inserted
                if !isNew { repeats += 1 } else if number < highest { reorders += 1 }
                highest = max(highest, number)
                #expect(ledger.receive(number) == isNew)
            }
            #expect(ledger.received == UInt64(seen.count) && ledger.repeats == repeats && ledger.reorders == reorders)
            #expect(ledger.lost(of: 120) == 120 - UInt64(seen.count))
        }
    }
}
