// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import ServiceHost
import TestTurns
import Testing
import ZeroMQ

@Suite("Lines of the log", .inShortTurn)
struct LogLineTests {
    /// What a log wrote.
    private final class Page: Sendable {
        private let text = Locked("")
        func write(_ line: String) { text.withLock { $0 += line } }
        var lines: [String] {
            text.withLock { $0 }.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static let hostile = "a\"b\\c\n\r\t\u{0}\u{1b}[2J\u{7f}\u{9b}\u{2028}\u{202e}é🙂"

    @Test("JSON: one object a line, whatever is in the message, the keys and the values")
    func json() throws {
        let page = Page()
        let log = HostLog(service: "waymark-test", format: .json) { page.write($0) }
        log.logger.warning(
            "\(Self.hostile)",
            metadata: ["value": "\(Self.hostile)", "k\n\"": "1", "message": "theirs", "time": "theirs", "b": "2"])
        log.logger.info("second")
        let lines = page.lines
        #expect(lines.count == 3 && lines[2].isEmpty)
        // Nothing that a terminal acts on, and one line each.
        #expect(!lines[0].unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) })
        #expect(!lines[0].unicodeScalars.contains { (0x2028...0x202e).contains($0.value) })
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: String])
        #expect(object["message"] == Self.hostile && object["value"] == Self.hostile)
        #expect(object["k\n\""] == "1" && object["b"] == "2")
        #expect(object["field_message"] == "theirs" && object["field_time"] == "theirs")
        #expect(object["level"] == "warning" && object["service"] == "waymark-test")
        let time = try #require(object["time"])
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
        let moment = try Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        #expect(abs(moment.timeIntervalSinceNow) < 60)
        #expect(lines[0].hasPrefix(#"{"time":""#))
    }

    @Test("JSON: numbers and truth values are no strings, and what only looks like a number is one")
    func numbers() throws {
        let page = Page()
        let log = HostLog(service: "waymark-test", format: .json) { page.write($0) }
        log.logger.info(
            "numbers",
            metadata: [
                "rev": .stringConvertible(UInt64.max), "share": .stringConvertible(-0.5),
                "status": .stringConvertible(404), "open": .stringConvertible(true),
                "none": .stringConvertible(Double.infinity), "name": "12",
            ])
        let line = try #require(page.lines.first)
        let expected = #""name":"12","none":"inf","open":true,"rev":18446744073709551615,"share":-0.5,"status":404}"#
        #expect(line.hasSuffix(expected), "\(line)")
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test("text: what a terminal would act on is written out")
    func text() {
        let page = Page()
        let log = HostLog(service: "waymark-test") { page.write($0) }
        log.logger.error("two\nlines", metadata: ["key": "\(Self.hostile)"])
        #expect(page.lines.count == 2)
        let line = page.lines[0]
        #expect(line.hasSuffix("[ServiceHostTests] two\\nlines"), "\(line)")
        #expect(
            line.contains(#" error waymark-test: key=a"b\c\n\r\t\u{0}\u{1b}[2J\u{7f}\u{9b}\u{2028}\u{202e}é🙂 ["#),
            "\(line)")
    }

    @Test("a value that has no end ends", arguments: LogFormat.allCases)
    func bounds(format: LogFormat) throws {
        let page = Page()
        let log = HostLog(service: "waymark-test", format: format) { page.write($0) }
        let many = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("k\($0)", Logger.MetadataValue("x")) })
        log.logger.info("\(String(repeating: "é", count: 100_000))", metadata: many)
        #expect(page.lines.count == 2 && page.lines[0].count < 4_000)
        #expect(page.lines[0].contains("…"))
        if format == .json { _ = try JSONSerialization.jsonObject(with: Data(page.lines[0].utf8)) }
    }

    @Test("a level that changes counts for all loggers that are in use, but not for one with its own")
    func level() {
        let page = Page()
        let log = HostLog(service: "waymark-test", level: .warning) { page.write($0) }
        let logger = log.logger
        var own = log.logger
        own.logLevel = .error
        logger.info("hidden")
        log.level = .debug
        logger.debug("seen")
        own.debug("hidden")
        #expect(logger.logLevel == .debug && own.logLevel == .error)
        #expect(page.lines.count == 2 && page.lines[0].hasSuffix("seen"))
    }
}
