// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("Services that load landmarks", .inShortTurn)
struct CLIFillProgressTests {
    @Test("make progress as long as one of them moves, without a time limit, and not if none does")
    func progress() {
        let begun = ContinuousClock.now
        var progress = FillProgress(patience: .seconds(30), at: begun)
        func goesOn(_ revisions: [UInt64], _ seconds: Int) -> Bool {
            progress.goesOn(revisions, at: begun + .seconds(seconds))
        }
        for step in 1...10 { #expect(goesOn([UInt64(step / 2), UInt64((step + 1) / 2)], 25 * step)) }
        #expect(goesOn([5, 5], 279))
        #expect(!goesOn([5, 5], 281))
        #expect(goesOn([6, 5], 282))
    }
}
