// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import TestTurns
import Testing

@testable import LoadTest

@Suite("Reports as pages and for CI servers", .inShortTurn)
struct LoadPageTests {
    private static let hostile = "\"><script>alert(1)</script><img src=http://evil.example/a onerror=x>&\u{1}\u{ffff}"

    /// A report with a bare run and a part, whose labels, command line and warnings come from an enemy.
    private static func report() -> LoadReport {
        var report = LoadReportTests.report()
        report.command = "bench bus req \(hostile)"
        report.parameters = [hostile: hostile]
        report.warnings = [hostile]
        report.runs[0].label = hostile
        report.runs[0].figures.done = 1_234_567
        var (part, bare) = (report.runs[0], report.runs[0])
        (part.label, part.partOf) = ("part \(hostile)", hostile)
        (part.figures.done, part.figures.latency.p99) = (4_321, 7_654)
        (bare.isBare, bare.figures.done, bare.figures.lost) = (true, 99, 17)
        report.runs += [part, bare]
        return report
    }

    private static let verdicts = [
        LoadVerdict(hostile, "p99<5ms", complaint: "\(hostile): p99<5ms is broken."),
        LoadVerdict(hostile, "errors=0", complaint: nil),
    ]

    /// Finds what makes a browser run a script or ask another host.
    private static func dangers(_ page: String) -> [String] {
        let tags = page.matches(of: /<[^>]*>/).map { String($0.output).lowercased() }
        let forbidden = ["script", "img", "image", "link", "iframe", "object", "embed", "base", "form", "a", "use"]
        return tags.filter { tag in
            forbidden.contains { tag.hasPrefix("<\($0) ") || tag.hasPrefix("<\($0)>") }
                || tag.firstMatch(of: /\s(src|href|srcset|action|on[a-z]+)\s*=/) != nil
                || tag.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "").contains("//")
        } + ["url(", "@import"].filter { page.contains($0) }
    }

    @Test("the page has neither a script nor another host, whatever the labels and the command line say")
    func harmless() throws {
        let page = Self.report().html(Self.verdicts, notes: [Self.hostile])
        #expect(page.hasPrefix("<!doctype html>\n") && page.hasSuffix("</html>\n"))
        #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        #expect(Self.dangers(page) == [])
        #expect(page.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=http:"))
        #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        // The check itself finds them.
        #expect(Self.dangers("<svg onload=x></svg><SCRIPT></SCRIPT><b style=\"url(x)\">").count == 3)
    }

    @Test("the page has the figures of each run and part, the charts, the machine, and the verdicts")
    func figures() throws {
        let report = Self.report()
        let page = report.html(Self.verdicts, notes: ["note 1"], bareName: "bare bus")
        for row in report.rows(bareName: "bare bus") {
            let cells = row.map { "<td>\(SVG.escaped($0))</td>" }.joined()
            #expect(page.contains("<tr>\(cells)</tr>"), "\(row)")
        }
        for text in ["1,234,567", "4,321", "7.65 ms", "<td>17</td>", ", bare bus</td>", "<li>note 1</li>"] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(page.contains("<svg ") && page.contains("<polyline ") && !page.contains("<?xml"))
        #expect(page.contains(SVG.escaped(report.machine.kernel)) && page.contains("1 of 2 assertions are broken."))
        #expect(page.split(separator: "<tr class=\"bad\">").count == 2 && page.contains("<td>holds</td>"))
    }

    @Test("the page of a comparison has the changes and both reports")
    func comparison() throws {
        let report = Self.report()
        var later = report
        later.runs[0].figures.latency.p99 *= 2
        let changes = ReportComparison(earlier: report, later: later, metrics: [.p99])
        let page = changes.html(earlier: report, later: later, complaints: [Self.hostile])
        #expect(Self.dangers(page) == [])
        let cells = try #require(changes.figures.first).cells
        #expect(cells.count == ReportComparison.titles.count && cells[4] == "+100 %")
        #expect(page.contains(cells.map { "<td>\(SVG.escaped($0))</td>" }.joined()))
        #expect(page.contains("earlier, ") && page.contains("later, ") && page.contains("<p class=\"bad\">"))
    }

    @Test("JUnit: well-formed, with a case for each verdict and a failure for each broken assertion")
    func junit() throws {
        final class Reader: NSObject, XMLParserDelegate {
            var elements: [(name: String, attributes: [String: String])] = []

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) {
                elements.append((name, attributes))
            }
        }
        let parser = XMLParser(data: Data(Self.report().junit(Self.verdicts).utf8))
        let reader = Reader()
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        let names = reader.elements.map(\.name)
        #expect(
            names == ["testsuites", "testsuite", "properties", "property", "testcase", "failure", "testcase"])
        let suite = try #require(reader.elements.dropFirst().first).attributes
        #expect(suite["tests"] == "2" && suite["failures"] == "1" && suite["name"] == "waymark bench bus req")
        let shown = Self.hostile.replacing("\u{1}", with: "\u{fffd}").replacing("\u{ffff}", with: "\u{fffd}")
        let first = try #require(reader.elements.first { $0.name == "testcase" }).attributes
        #expect(first["name"] == "\(shown): p99<5ms" && first["time"] == "2.0")
        let failure = try #require(reader.elements.first { $0.name == "failure" }).attributes
        #expect(failure["message"] == "\(shown): p99<5ms is broken.")
    }

    @Test("a report with counts whose sum cannot be computed is refused")
    func unsound() throws {
        let text = String(decoding: try LoadReportTests.report().encoded(), as: UTF8.self)
        let pair = try #require(text.firstMatch(of: /"histogram_ns":\[\[(\d+),\d+\]/))
        for count in ["18446744073709551615", "9000000000000000000"] {
            let forged = text.replacing(pair.output.0, with: "\"histogram_ns\":[[\(pair.output.1),\(count)]")
            #expect(throws: LoadReport.notAReport) { try LoadReport(Data(forged.utf8)) }
        }
        #expect(throws: Never.self) { try LoadReport(Data(text.utf8)) }
    }

    @Test("failures are counted by their codes in each second, also of several generators")
    func errorsOfASecond() {
        var (one, other) = (Tally(from: 0), Tally(from: 0))
        one.failed("busy", at: 1)
        one.failed("busy", at: 2)
        one.record(5, bytes: 1, at: 1_500_000_000)
        other.failed("timed_out", at: 3)
        other.failed("busy", at: 3)
        one.turn(to: 2_000_000_000)
        other.turn(to: 1_000_000_000)
        #expect(one.seconds.map(\.errors) == [["busy": 2], nil])
        one.add(other)
        #expect(one.seconds[0].errors == ["busy": 3, "timed_out": 1] && one.seconds[0].failed == 4)
    }

    @Test("a latency counts once, in its second and in the run, whether or not the second has ended")
    func latenciesOfSeconds() {
        var tally = Tally(from: 0)
        tally.record(1_000, bytes: 1, at: 1)
        tally.record(3_000, bytes: 1, at: 1_500_000_000)
        #expect(tally.seconds.map(\.done) == [1])
        #expect(tally.done == 2 && tally.latencies.count == 2 && tally.latencies.mean == 2_000)
        tally.turn(to: 2_000_000_000)
        #expect(tally.seconds.map(\.done) == [1, 1])
        #expect(tally.done == 2 && tally.latencies.count == 2 && tally.latencies.mean == 2_000)
        var both = tally
        both.add(tally)
        #expect(both.done == 4 && both.seconds.map(\.done) == [2, 2])
    }
}
