// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("watch on a screen", .inShortTurn)
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

    @Test(arguments: [(10, 44), (4, 50), (3, 50), (2, nil), (1, nil)] as [(Int, Int?)])
    func rowsThatDoNotFitAreCounted(_ rows: Int, _ more: Int?) throws {
        let sink = MemorySink()
        let all = (1...50).map { ("landmark number \($0)", Double($0)) }
        try screen(ScreenSize(columns: 80, rows: rows), sink).show(list(all, rev: 1))
        let lines = CLITerminal(sink.text, columns: 80).lines
        #expect(lines.count == max(2, rows) && lines[0].hasPrefix("50 landmarks near"))
        #expect(lines.contains { $0 == more.map { "… \($0) more" } } == (more != nil), "\(lines)")
        let roomy = MemorySink()
        try screen(ScreenSize(columns: 80, rows: 53), roomy).show(list(all, rev: 1))
        #expect(!roomy.text.contains("more") && roomy.text.contains("landmark number 50"))
    }

    @Test(
        "what came or changed is marked, by colour or else by a sign, until its time is over", arguments: [true, false])
    func marks(_ isColoured: Bool) async throws {
        let sink = LineSink()
        var surroundings = Surroundings(environment: ["TERM": "xterm"], out: sink, err: MemorySink())
        surroundings.screenSize = { ScreenSize(columns: 80, rows: 24) }
        surroundings.outWidth = 80
        let screen = WatchScreen(
            surroundings.output(.text, isColoured ? .always : .never), surroundings, markTime: .milliseconds(300))
        let first = try list([("a", 1), ("b", 2)], rev: 1)
        try screen.show(first)
        #expect(!sink.all.contains("\u{1b}[32m") && !sink.all.contains("+ "))
        var second = try list([("n", 0.5), ("a", 1), ("b", 2)], rev: 2)
        second.hits[2].landmark.name = "renamed"
        try screen.show(second)
        let drawn = sink.lines.suffix(4)
        func isMarked(_ line: String, _ sign: String, _ colour: String) -> Bool {
            isColoured ? line.contains("\u{1b}[\(colour)m") : line.contains("\u{1b}[K\(sign) ")
        }
        let marked = drawn.map { isMarked($0, "+", "32") ? "+" : isMarked($0, "*", "33") ? "*" : "" }
        #expect(marked == ["", "+", "", "*"], "\(drawn)")
        let fading = Task { await screen.fade() }
        // The third drawing, of the same list.
        try await sink.wait { $0.split(separator: "renamed", omittingEmptySubsequences: false).count == 3 }
        #expect(!sink.lines.suffix(4).contains { isMarked($0, "+", "32") || isMarked($0, "*", "33") })
        fading.cancel()
        await fading.value
        let shown = CLITerminal(sink.all, columns: 80).lines
        #expect(shown.count == 6 && shown[2].contains(" n ") && shown[4].contains("renamed"))
    }

    @Test func onlyWhatChangedItselfIsMarked() throws {
        var marks = WatchMarks()
        let now = ContinuousClock.now
        let old = try list([("a", 1), ("b", 2), ("c", 3)], rev: 1)
        let new = try list([("n", 0.5), ("a", 1), ("c", 3)], rev: 2)
        marks.apply(new.events(since: old.hits), until: now)
        #expect(new.hits.map { marks[$0.landmark.id] } == [.entered, nil, nil])
        #expect(marks[old.hits[1].landmark.id] == nil && marks.next == now)
        marks.expire(at: now)
        #expect(marks.next == nil)
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
