// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("A table that is too wide", .inShortTurn)
struct CLITableTests {
    private func table() -> TextTable {
        var table = TextTable([
            .init(title: "NAME", isFlexible: true), .init(title: "KIND", dropsAt: 2), .init(title: "USER", dropsAt: 3),
            .init(title: "ID", dropsAt: 1),
        ])
        table.add([String(repeating: "n", count: 30), "kind", "user", "0123456789"])
        return table
    }

    @Test(
        arguments: [
            (54, 30, ["KIND", "USER", "ID"]), (53, 29, ["KIND", "USER", "ID"]), (40, 16, ["KIND", "USER", "ID"]),
            (39, 21, ["KIND", "ID"]), (33, 21, ["ID"]), (27, 27, []), (5, 16, []),
        ])
    func losesColumnsWhenItsNameCannotShrinkAnyMore(_ width: Int, _ name: Int, _ titles: [String]) throws {
        let lines = table().lines(Painter(isColoured: false), width: width)
        #expect(lines[0].split(separator: " ").dropFirst().map(String.init) == titles)
        #expect(lines[1].split(separator: " ")[0].count == name)
        if width >= 16 { #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }) }
    }

    @Test func losesNothingElsewhere() {
        #expect(table().lines(Painter(isColoured: false), width: nil)[0].hasSuffix("KIND  USER  ID"))
    }
}
