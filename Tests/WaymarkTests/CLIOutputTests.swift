// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestTurns
import Testing
import WaymarkJSON

@testable import WaymarkCLI

@Suite("Text for people", .inShortTurn)
struct CLIOutputTests {
    @Test func whatATerminalActsOnIsShown() {
        #expect(Escaping.visible("Circular Quay") == "Circular Quay")
        #expect(Escaping.visible("a\u{1b}[31mb") == "a\\u{1b}[31mb")
        #expect(Escaping.visible("\r\n\t\u{7f}\u{9b}") == "\\u{d}\\u{a}\\u{9}\\u{7f}\\u{9b}")
        #expect(Escaping.visible("\u{202e}x\u{2066}y\u{2028}z\u{2029}") == "\\u{202e}x\\u{2066}y\\u{2028}z\\u{2029}")
        #expect(Escaping.visible("Patiāla 東京 👩‍👩‍👧 é") == "Patiāla 東京 👩‍👩‍👧 é")
        #expect(Escaping.visibleLines("a\nb\u{1b}") == "a\nb\\u{1b}")
    }

    @Test(
        arguments: [
            ("Bondi", 5), ("", 0), ("Ann Å", 5), ("e\u{301}", 1), ("東京", 4), ("한글", 4), ("ｆｕｌｌ", 8), ("ﾊﾝ", 2),
            ("👩‍👩‍👧", 2), ("🏖️", 2), ("🇦🇺", 2), ("a\u{200b}b", 2), ("…", 1),
        ])
    func displayWidth(_ text: String, _ width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func cutToAWidth() {
        #expect(DisplayWidth.cut("Bondi Beach", to: 11) == "Bondi Beach")
        #expect(DisplayWidth.cut("Bondi Beach", to: 6) == "Bondi…")
        #expect(DisplayWidth.cut("東京タワー", to: 6) == "東京…")
    }

    @Test func columnsAreAligned() {
        var table = TextTable([
            .init(title: "DISTANCE", alignment: .right), .init(title: "NAME", isFlexible: true), .init(title: "ID"),
        ])
        table.add(["1.5 m", "東京", "a"])
        table.add(["22.5 m", "e\u{301}\u{1b}x", "b"])
        let plain = Painter(isColoured: false)
        #expect(
            table.lines(plain, width: nil) == [
                "DISTANCE  NAME      ID", "   1.5 m  東京      a", "  22.5 m  e\u{301}\\u{1b}x  b",
            ])
        let coloured = table.lines(Painter(isColoured: true), width: nil)
        #expect(coloured.first?.contains("\u{1b}[2mNAME\u{1b}[0m") == true)
    }

    @Test func aNarrowTerminalCutsTheFlexibleColumn() {
        var table = TextTable([.init(title: "NAME", isFlexible: true), .init(title: "ID")])
        table.add([String(repeating: "n", count: 60), "0123456789"])
        let lines = table.lines(Painter(isColoured: false), width: 40)
        #expect(lines.last == String(repeating: "n", count: 27) + "…  0123456789")
        #expect(
            table.lines(Painter(isColoured: false), width: 20).last == String(repeating: "n", count: 15)
                + "…  0123456789")
    }

    @Test(
        arguments: [
            (444.9843104851915, "444.984 m"), (9_489.41, "9489.410 m"), (12_345.4, "12.345 km"), (0, "0.000 m"),
            (.nan, "-"),
        ])
    func distances(_ metres: Double, _ text: String) {
        #expect(Figures.distance(metres) == text)
    }

    @Test(
        arguments: [
            (212.64487, "213° SSW"), (0, "0° N"), (359.7, "0° N"), (348.8, "349° N"), (90, "90° E"), (11.3, "11° NNE"),
            (-90, "270° W"),
        ])
    func bearings(_ degrees: Double, _ text: String) {
        #expect(Figures.bearing(degrees) == text)
    }

    @Test func figures() {
        #expect(Figures.count(28_298) == "28,298")
        #expect(Figures.count(1, "change", "changes") == "1 change")
        #expect(Figures.duration(850) == "850 ms")
        #expect(Figures.duration(200_000) == "3 min 20 s")
        #expect(Figures.bytes(3_514_491) == "3.4 MiB")
        #expect(Figures.number(-33.0) == "-33")
    }

    @Test func timesAreThoseOfFoundation() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        for milliseconds: UInt64 in [0, 1, 951_782_400_000, 1_709_164_800_999, 1_772_357_400_123, 4_102_444_799_999] {
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            #expect(Timestamp.rfc3339(milliseconds) == formatter.string(from: date))
        }
        #expect(Timestamp.rfc3339(.max).hasSuffix("Z"))
    }

    @Test func colourIsForTerminalsThatWantIt() {
        func allows(_ choice: ColourChoice, _ isTerminal: Bool, _ environment: [String: String]) -> Bool {
            let sink = MemorySink()
            return Surroundings(environment: environment, out: sink, err: sink)
                .allowsColour(choice, isTerminal: isTerminal)
        }
        #expect(allows(.auto, true, ["TERM": "xterm"]))
        #expect(!allows(.auto, false, ["TERM": "xterm"]))
        #expect(!allows(.auto, true, ["TERM": "dumb"]))
        #expect(!allows(.auto, true, ["NO_COLOR": "1"]))
        #expect(allows(.auto, true, ["NO_COLOR": ""]))
        #expect(allows(.always, false, ["NO_COLOR": "1"]))
        #expect(!allows(.never, true, [:]))
    }

    @Test func progressFitsTheTerminal() {
        func line(_ width: Int) -> String { ProgressBar.bar((14_149, 28_298), "14,149 of 28,298 rows", width: width) }
        #expect(line(80).hasPrefix("[" + String(repeating: "#", count: 20) + " "))
        for width in [1, 10, 30, 40, 80, 200] {
            #expect(DisplayWidth.of(line(width)) < max(2, width))
        }
    }
}

@Suite("Writing to a descriptor", .inShortTurn)
struct CLISinkTests {
    @Test func everythingIsWrittenThoughThePipeTakesItInPieces() async throws {
        let (reader, writer) = try pipe()
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // Both block their own threads, so that no other test is delayed.
        async let read = onAThread { readToEnd(reader) }
        async let written = onAThread {
            defer { close(writer) }
            return Result { try DescriptorSink(descriptor: writer).write(bytes) }
        }
        try await written.get()
        #expect(await read == bytes)
        close(reader)
    }

    @Test func aReaderThatHasGoneIsNoOrdinaryError() throws {
        let (reader, writer) = try pipe()
        signal(SIGPIPE, SIG_IGN)
        close(reader)
        defer { close(writer) }
        #expect(throws: SinkError.readerGone) { try DescriptorSink(descriptor: writer).write([1]) }
        #expect(throws: SinkError.failed(errno: EBADF)) { try DescriptorSink(descriptor: -1).write([1]) }
    }

    private func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }
}

private func onAThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

private func readToEnd(_ descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return all }
        all += buffer[..<count]
    }
}
