// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("The columns of changes", .inShortTurn)
struct CLIChangeColumnsTests {
    /// From the whole line to the narrowest terminal.
    @Test(arguments: [
        (200, "date rev place user id"), (106, "date rev place user id"), (105, "rev place user id"),
        (95, "rev place user id"), (94, "rev place id"), (81, "rev place id"), (80, "place id"), (73, "place id"),
        (72, "place"), (60, "place"), (53, "place"), (43, "place no time"), (42, "no time"), (10, "no time"),
    ])
    func thePlaceIsTheLastToGo(_ width: Int, _ shown: String) {
        let columns = ChangeColumns(width: width, rev: 999_999, id: 18)
        var words: [String] = []
        if columns.time > ChangeColumns.clock { words.append("date") }
        if columns.rev > 0 { words.append("rev") }
        if columns.place > 0 { words.append("place") }
        if columns.user > 0 { words.append("user") }
        if columns.id > 0 { words.append("id") }
        if columns.time == 0 { words.append("no time") }
        #expect(words.joined(separator: " ") == shown)
        #expect(columns.name >= 12)
    }

    @Test("lines of one stream have their columns at the same places", arguments: [nil, 60, 80, 100, 120, 200])
    func aligned(_ width: Int?) throws {
        let names = ["a", "Bondi \"Icebergs\"", "東京 タワー"] + (width == nil ? [] : [String(repeating: "n", count: 90)])
        let places = try [(0.0, 0.0), (-33.8951, 151.2745), (-33.856_812_345, -151.215_312_345)].map {
            try Coordinate(latitude: $0, longitude: $1)
        }
        var ends: Set<Int> = []
        for (index, name) in names.enumerated() {
            for user in ["", "ann", "somebody with a very long name"] {
                var landmark = try exampleLandmark()
                (landmark.name, landmark.coordinate, landmark.user) = (name, places[index % 3], user)
                let change = Change(
                    rev: UInt64(index * 1_000), at: 0, operation: .added, user: user, landmark: landmark, before: nil)
                let line = line(change, width)
                if let width { #expect(DisplayWidth.of(line) <= width, "\(line)") }
                // A place has the only comma.
                let comma = try #require(line.firstIndex(of: ","))
                let front = line[..<comma].lastIndex(of: " ").map { line[...$0] } ?? ""
                ends.insert(DisplayWidth.of(String(front)))
            }
        }
        #expect(ends.count == 1, "\(ends)")
    }

    @Test("a place on a terminal has five decimals, and elsewhere seven")
    func places() throws {
        var landmark = try exampleLandmark()
        landmark.coordinate = try Coordinate(latitude: -33.856_812_345, longitude: -0.000_001)
        let change = Change(rev: 1, at: 0, operation: .added, user: "", landmark: landmark, before: nil)
        #expect(line(change, 80).contains("  -33.85681,0  "))
        #expect(line(change, nil).contains("  -33.8568123,-0.000001  "))
        let wide = try Coordinate(latitude: -33.856_785, longitude: -151.215_318)
        #expect(Figures.position(wide, digits: 5).utf8.count <= 20)
    }

    @Test("differences take the room of the user and the id, and are cut")
    func differences() throws {
        let after = try exampleLandmark()
        var before = after
        before.link = "https://example.org/a/path/that/is/longer/than/what/a/terminal/has"
        let change = Change(rev: 12, at: 0, operation: .changed, user: "ann", landmark: after, before: before)
        let whole = line(change, nil)
        #expect(whole.hasSuffix("  link: \"\(before.link)\" → \"\(after.link)\""))
        #expect(whole.contains("by ann"))
        #expect(line(change, 250).contains("by ann") && line(change, 250).hasSuffix("\"https://example.com\""))
        for width in [80, 100, 120] {
            let line = line(change, width)
            #expect(line.count == width && line.hasSuffix("…") && !line.contains("by ann"), "\(line)")
            #expect(line.contains("  -33.8951,151.2745     link: \"https"))
        }
        // There is room for the place, and for nothing behind it.
        #expect(line(change, 60).hasSuffix("  changed  Bondi \"Icebergs\"     -33.8951,151.2745"))
    }

    private func line(_ change: Change, _ width: Int?) -> String {
        ChangeLine.text(
            change, as: FeedOperation(change.operation), Painter(isColoured: false), id: \.short, width: width)
    }
}
