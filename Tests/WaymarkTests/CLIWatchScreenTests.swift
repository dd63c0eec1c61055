// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkClient
@testable import WaymarkCommands

@Suite("watch on a screen", .inShortTurn, .timeLimit(.minutes(5)))
struct CLIWatchScreenTests {
    private let epoch = UUIDv7(high: 1, low: 2)

    private func list(_ rows: [(String, Double)], rev: UInt64) throws -> WatchList {
        let here = try Coordinate(latitude: 0, longitude: 0)
        let hits = try rows.map { name, longitude in
            let there = try Coordinate(latitude: 0, longitude: longitude)
            var landmark = try exampleLandmark()
            landmark.id = UUIDv7(high: 5, low: UInt64(longitude * 1_000))
            (landmark.name, landmark.coordinate) = (name, there)
            return Hit(landmark: landmark, distance: Geodesic.distance(from: here, to: there), bearing: 90)
        }
        return WatchList(here: here, hits: hits, position: Position(epoch: epoch, rev: rev))
    }

    private func screen(_ size: ScreenSize?, _ sink: MemorySink) -> WatchScreen {
        var surroundings = Surroundings(environment: ["TERM": "xterm"], out: sink, err: MemorySink())
        surroundings.screenSize = { size }
        surroundings.outWidth = size?.columns
        return WatchScreen(surroundings.output(.text, .always), surroundings)
    }

    @Test func inPlaceOnATerminal() throws {
        let sink = MemorySink()
        let screen = screen(ScreenSize(columns: 80, rows: 24), sink)
        try screen.show(list([("a long name that has to be cut somewhere before the end", 1), ("b", 2)], rev: 1))
        try screen.show(list([("b", 2), ("c 東京", 3), ("d", 4)], rev: 2))
        #expect(CLITerminal(sink.text, columns: 80).lines.count == 6)
        try screen.show(list([("c", 3)], rev: 3))
        let seen = CLITerminal(sink.text, columns: 80).lines
        #expect(seen.count == 4 && seen[3].isEmpty, "\(seen)")
        #expect(seen[0].hasPrefix("1 landmark near 0,0, revision 3"))
        #expect(seen[1].contains("DISTANCE") && seen[2].contains("333.958 km"))
        let count = sink.writes.count
        try screen.show(list([("c", 3)], rev: 4))
        #expect(sink.writes.count == count, "nothing that can be seen has changed")
        try screen.show(list([], rev: 5))
        #expect(CLITerminal(sink.text, columns: 80).lines == ["no landmarks near 0,0, revision 5", ""])
    }

    @Test(arguments: [20, 40, 80, 200])
    func noLineIsWiderThanTheTerminal(_ columns: Int) throws {
        let sink = MemorySink()
        let rows = (1...50).map { ("landmark number \($0) with a name", Double($0)) }
        try screen(ScreenSize(columns: columns, rows: 10), sink).show(list(rows, rev: 1))
        let lines = CLITerminal(sink.text, columns: columns).lines
        #expect(lines.count == 10 && lines.allSatisfy { $0.unicodeScalars.count <= columns })
        #expect(sink.text.contains("\u{1b}[?7l") && sink.text.hasSuffix("\u{1b}[?7h"))
        #expect(lines[1].contains("ID") == (columns >= 80))
        #expect(lines[1].contains("USER") == (columns >= 80) && lines[1].contains("NAME"))
    }

    @Test func anotherSizeIsDrawnAtOnce() throws {
        let sink = MemorySink()
        let size = Locked(ScreenSize(columns: 80, rows: 24))
        var surroundings = Surroundings(environment: ["TERM": "xterm"], out: sink, err: MemorySink())
        surroundings.screenSize = { size.withLock { $0 } }
        surroundings.outWidth = 80
        let screen = WatchScreen(surroundings.output(.text, .never), surroundings, unit: .mi)
        screen.redraw()
        #expect(sink.writes.isEmpty, "there is nothing to show yet")
        try screen.show(list([("a", 1), ("b", 2)], rev: 1))
        screen.redraw()
        #expect(sink.writes.count == 1, "the size is the same")
        #expect(sink.text.contains(" mi  "))
        size.withLock { $0.columns = 40 }
        screen.redraw()
        #expect(sink.writes.count == 2)
        let lines = CLITerminal(sink.text, columns: 40).lines
        #expect(lines.allSatisfy { $0.count <= 40 } && lines[1].contains("NAME") && !lines[1].contains("USER"))
    }

    @Test func oneAfterAnotherElsewhere() throws {
        let sink = MemorySink()
        let screen = screen(nil, sink)
        try screen.show(list([("a", 1)], rev: 1))
        try screen.show(list([("b", 2)], rev: 2))
        let lines = sink.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 8 && lines[3].isEmpty && !sink.text.contains("\u{1b}[?7l"))
    }

    @Test func whatConcernsAList() throws {
        let query = WatchQuery(limit: 2)
        func change(_ id: UInt64, _ longitudes: Double..., rev: UInt64) throws -> WatchedChange {
            var landmarks = try longitudes.map { longitude in
                var landmark = try exampleLandmark()
                landmark.id = UUIDv7(high: 5, low: id)
                landmark.coordinate = try Coordinate(latitude: 0, longitude: longitude)
                return landmark
            }
            let change = Change(
                rev: rev, at: 0, operation: .changed, user: "", landmark: landmarks.removeLast(),
                before: landmarks.last)
            return WatchedChange(FeedChange(change, as: .changed, at: Position(epoch: epoch, rev: rev)))
        }
        let full = try list([("a", 1), ("b", 2)], rev: 10)
        func judged(_ list: WatchList, _ changes: WatchedChange...) -> UInt64? {
            var list = list
            return list.judge(.few(changes), query)?.rev
        }
        #expect(try judged(full, change(9, 3, rev: 11)) == nil, "too far")
        #expect(try judged(full, change(9, 3, 5, rev: 11)) == nil)
        #expect(try judged(full, change(9, 3, 2, rev: 11)) == 11, "as far as the last")
        #expect(try judged(full, change(9, 1.5, 7, rev: 11)) == 11, "it was within")
        #expect(try judged(full, change(2_000, 50, rev: 11)) == 11, "it is listed")
        #expect(try judged(full, change(9, 1, rev: 10)) == nil, "known already")
        #expect(try judged(full, change(9, 3, rev: 11), change(8, 1, rev: 12), change(7, 9, rev: 13)) == 13)
        #expect(try judged(list([("a", 1)], rev: 10), change(9, 99, rev: 11)) == 11, "there is room")
        var many = full
        #expect(many.judge(.many(last: Position(epoch: epoch, rev: 11)), query)?.rev == 11)
        #expect(many.judge(.many(last: Position(epoch: epoch, rev: 10)), query) == nil)
    }
}
