// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestTurns
import Testing

@testable import LoadTest

@Suite("Pictures of a run", .inShortTurn)
struct ChartTests {
    private static let chart: Chart = {
        var (fast, slow) = (Latencies(), Latencies())
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            fast.record(UInt64(50_000 * (1 + -log(1 - random.unit()))))
            slow.record(UInt64(90_000 * (1 + -log(1 - random.unit()))))
        }
        return .latency(
            "near, window 128",
            [
                .init(name: "near", latencies: slow), .init(name: "bare <bus>", isBare: true, latencies: fast),
            ])
    }()

    @Test("an SVG is whole, and what could be markup is text")
    func svg() {
        let svg = SVG.draw([
            Self.chart, .throughput("near", [.init(name: "near", perSecond: [90_000, 95_000, 0, 97_000])]),
        ])
        #expect(svg.hasPrefix("<?xml") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("bare &lt;bus&gt;") && !svg.contains("<bus>"))
        #expect(svg.contains("99.9 %") && svg.contains("µs"))
        #expect(!svg.contains("nan") && !svg.contains("inf"))
        let opened = svg.split(separator: "<text").count
        #expect(opened == svg.split(separator: "</text>").count)
    }

    @Test("the throughput is shaded by the parts of a profile, each with its name")
    func bands() throws {
        let profile = try LoadProfile("2s@100, 2s@100..200, 10ms@5")
        let svg = SVG.draw([
            .throughput("near", [.init(name: "near", perSecond: [99, 98, 120, 170, 5])], profile: profile)
        ])
        // One of them is the background of the picture.
        #expect(svg.split(separator: "<rect").count - 1 == 4)
        #expect(svg.contains(">[1] 2.00 s at 100/s<") && svg.contains(">[2] 2.00 s at 100/s to 200/s<"))
        #expect(svg.contains(">[3]<") && !svg.contains("width=\"-"))
    }

    @Test("a run and the bare one beside it have one colour, and no other run has it")
    func colours() {
        let runs = [("64 B", false), ("64 B, bare", true), ("1 KiB", false), ("1 KiB, bare", true)]
        let svg = SVG.draw([.throughput("req", runs.map { .init(name: $0.0, isBare: $0.1, perSecond: [1, 2, 3]) })])
        // Those that are compared with are drawn first, behind the others.
        let colours = svg.split(separator: "<polyline").dropFirst().map { line in
            line.split(separator: "stroke=\"").last?.prefix(7) ?? ""
        }
        #expect(colours.count == 4 && colours[0] == colours[2] && colours[1] == colours[3])
        #expect(colours[0] != colours[1])
    }

    @Test("a picture in the terminal has the size that it was given")
    func terminal() {
        let lines = TerminalChart.draw(Self.chart, columns: 80, rows: 20)
        #expect(lines.count == 20)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.contains { $0.unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) } })
    }

    @Test("a picture in the terminal names its axes and its lines, and each line has its letter on it")
    func terminalNames() throws {
        let lines = TerminalChart.draw(Self.chart, columns: 80, rows: 20)
        #expect(lines[1].trimmingPrefix { $0 == " " } == "latency")
        #expect(lines[lines.count - 2].trimmingPrefix { $0 == " " } == "percentile")
        #expect(lines.last == "a near   b bare <bus>")
        // Right of the axis; labels have none of the two.
        let picture = lines.compactMap { $0.split(whereSeparator: { "│┤".contains($0) }).dropFirst().first }.joined()
        #expect(picture.contains("a") && picture.contains("b"))
        // The slower one lies above.
        func top(_ letter: Character) -> Int? {
            lines.firstIndex {
                $0.split(whereSeparator: { "│┤".contains($0) }).dropFirst().first?.contains(letter) == true
            }
        }
        #expect(try #require(top("a")) < (try #require(top("b"))))
    }

    @Test("names that do not fit beside each other stand below each other")
    func legend() {
        #expect(
            TerminalChart.legend([("a", "one"), ("b", "two"), ("c", "three")], columns: 14) == [
                "a one   b two", "c three",
            ])
        #expect(TerminalChart.legend([("a", String(repeating: "x", count: 50))], columns: 20)[0].count == 20)
    }

    @Test("runs without anything are drawn too")
    func empty() {
        #expect(!SVG.draw([.latency("none", [.init(name: "x")]), .throughput("none", [])]).contains("nan"))
        #expect(!TerminalChart.draw(.throughput("none", []), columns: 40, rows: 8).isEmpty)
    }

    @Test("numbers are written with three digits")
    func digits() {
        let texts = [0.5, 1.234, 12.34, 123.4, 999.4, 1_234, 12_345, 1_234_567].map {
            LoadQuantity.text($0, .microseconds)
        }
        #expect(
            texts == ["0.50 µs", "1.23 µs", "12.3 µs", "123 µs", "999 µs", "1.23 ms", "12.3 ms", "1.23 s"])
        #expect(LoadQuantity.text(94_321, .perSecond) == "94.3 k/s")
    }
}
