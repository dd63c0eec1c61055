// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("Changes and landmarks as text", .inShortTurn)
struct CLIChangeLineTests {
    @Test func whatIsDifferent() throws {
        let before = try exampleLandmark()
        var after = before
        after.name = "B\u{1b}"
        after.coordinate = try Coordinate(latitude: -33.8952, longitude: 151.2745)
        after.kind = ""
        after.rating = nil
        #expect(
            differences(before, after) == [
                #"name: "Bondi "Icebergs"" → "B\u{1b}""#, "moved 11.092 m", #"kind: "pool" → """#, "rating: 4.5 → none",
            ])
    }

    @Test func notesWrittenChangedAndRemoved() throws {
        let before = try exampleLandmark()
        var after = before
        after.notes[0].text = "Warm."
        after.notes.append(Note(id: UUIDv7(high: 5, low: 6), text: "New\nline", user: "ann", at: 0))
        #expect(differences(before, after) == [#"note: "Cold.\u{a}Salt." → "Warm.""#, #"note: "New\u{a}line""#])
        after.notes = []
        #expect(differences(before, after) == [#"note removed: "Cold.\u{a}Salt.""#])
    }

    @Test func oneLine() throws {
        var landmark = try exampleLandmark()
        landmark.user = ""
        let added = Change(rev: 991, at: 0, operation: .added, user: "", landmark: landmark, before: nil)
        let line = ChangeLine.text(added, as: .added, Painter(isColoured: false))
        #expect(
            line.hasSuffix(
                "     991  added    Bondi \"Icebergs\"          -33.8951,151.2745     from pools    "
                    + "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"))
        #expect(!line.contains("\n"))
        let known = Change(rev: landmark.rev, at: 0, operation: .added, user: "", landmark: landmark, before: nil)
        let here = ChangeLine.text(known, as: nil, Painter(isColoured: false))
        #expect(here.contains("      42  init     Bondi"))
    }

    @Test func whatItIsToTheWatcherIsShown() throws {
        let landmark = try exampleLandmark()
        var before = landmark
        before.kind = "beach"
        let change = Change(rev: 7, at: 0, operation: .changed, user: "ann", landmark: landmark, before: before)
        let colours: [FeedOperation: String] = [.left: "31", .entered: "32", .changed: "33"]
        for (operation, colour) in colours {
            let line = ChangeLine.text(change, as: operation, Painter(isColoured: true))
            #expect(line.contains("\u{1b}[\(colour)m\(operation.rawValue)\u{1b}[0m"))
            #expect(line.contains(#"kind: "beach" → "pool""#))
        }
    }

    @Test func theSummaryCounts() throws {
        let sink = MemorySink()
        let output = Surroundings(environment: [:], out: sink, err: MemorySink()).output(.json, .never)
        let printer = ChangePrinter(output, as: .json, limit: 2)
        #expect(printer.summary == "0 changes")
        let landmark = try exampleLandmark()
        for rev: UInt64 in [990, 991] {
            #expect(!printer.isFull)
            try printer.print(
                FeedChange(
                    Change(rev: rev, at: 0, operation: .added, user: "", landmark: landmark, before: nil), as: .added,
                    at: Position(epoch: UUIDv7(high: 1, low: 2), rev: rev)))
        }
        #expect(printer.isFull)
        #expect(printer.summary == "2 changes, last revision 991")
        // A line is one write, so a reader sees it at once and complete.
        #expect(sink.writes.count == 2)
        #expect(sink.writes.allSatisfy { $0.hasSuffix("}\n") })
    }

    @Test func notesKeepTheirLines() throws {
        let found = LandmarkHistory(landmark: try exampleLandmark(), entries: [], isCut: true)
        let lines = LandmarkBlock.lines(found, Painter(isColoured: false))
        #expect(lines.contains("    Cold."))
        #expect(lines.contains("    Salt."))
        #expect(lines.last == "  Older revisions are no longer kept.")
    }

    private func differences(_ before: Landmark, _ after: Landmark) -> [String] {
        ChangeLine.differences(
            Change(rev: 1, at: 0, operation: .changed, user: "", landmark: after, before: before))
    }
}
