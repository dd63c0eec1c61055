// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("A list of everything, page by page", .inShortTurn)
struct CLIListProgressTests {
    @Test("a break is told with the count and the cursor; after the last page there is nothing to tell")
    func breaks() {
        let err = MemorySink()
        let output = Surroundings(environment: [:], out: MemorySink(), err: err).output(.text, .never)
        let progress = ListProgress(output, from: nil)
        progress.tellBreak()
        #expect(err.text.contains("after 0 landmarks: begin again"))
        let cursor = Data([1, 2])
        progress.printed(2_000, before: cursor)
        progress.tellBreak()
        #expect(err.text.contains("after 2,000 landmarks: go on with --all --after \(cursor.base64URL)"))
        let told = err.text
        progress.printed(2_100, before: nil)
        progress.tellBreak()
        #expect(err.text == told)
    }

    @Test("each page of text is a table of its own, and no row is printed twice")
    func tables() throws {
        let out = MemorySink()
        let output = Surroundings(environment: [:], out: out, err: MemorySink()).output(.text, .never)
        var printer = HitPrinter(output, as: .text, isMeasured: false)
        let hit = Hit(landmark: try exampleLandmark(), distance: nil, bearing: nil)
        for _ in 0..<2 {
            try printer.print([hit, hit])
            try printer.endTable()
        }
        try printer.finish(cursor: nil, showsCursor: false)
        let lines = out.text.split(separator: "\n")
        #expect(lines.count == 6 && lines.count { $0.hasPrefix("NAME") } == 2)
    }
}
