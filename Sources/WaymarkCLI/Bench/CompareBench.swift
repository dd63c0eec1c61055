// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest

struct CompareBench: LocalCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two reports, and say how certain each difference is.",
        discussion: """
            Reads two reports written with -o json, the earlier one first. Each needs at least \(Comparison.fewest) \
            runs (--repeat): their spread gives an interval that has the true change with at least 95 % probability.

              waymark bench near --embedded --repeat 6 -o json > a.json
              waymark bench near --embedded --repeat 6 -o json > b.json
              waymark bench compare a.json b.json --max-regress 10%

            With --max-regress the exit code is 1 if a figure became worse by more, cannot be compared, or is only in \
            one report.
            """)

    @Argument(.text("a.json"), "The earlier report.")
    var earlier: String

    @Argument(.text("b.json"), "The later report.")
    var later: String

    @Option(
        .share,
        "Exit with 1 if a figure became worse by more than this. Example: --max-regress 10%. (default: only print)")
    var maxRegress: Double?

    @Option(
        ValueForm<[LoadMetric]>(word: "list", read: CompareBench.metrics),
        "The figures to compare, with commas. Example: --metrics throughput,p99. (default: throughput,p50,p99)")
    var metrics: [LoadMetric] = [.throughput, .p50, .p99]

    @Option(
        .text("file"), name: .customLong("report"),
        "Write the changes and charts of both reports as one HTML page. Example: --report changes.html.")
    var page: String?

    @OptionGroup var printing: OutputOptions

    func validate() throws { if let page { try BenchFiles.check(page) } }

    func run(_ output: Output, _ surroundings: Surroundings) throws {
        let (one, other) = (try Self.report(earlier), try Self.report(later))
        let changes = ReportComparison(earlier: one, later: other, metrics: metrics)
        guard !changes.figures.isEmpty || maxRegress != nil && !changes.gaps.isEmpty else {
            throw Failure(
                "nothing_in_common",
                changes.gaps.isEmpty
                    ? "The reports have no case in common: run the same test twice."
                    : changes.gaps.joined(separator: "\n"))
        }
        for warning in changes.warnings { output.notice("warning", "Warning: \(warning)") }
        try output.list(changes.figures, Self.columns) { writer, row in
            writer.field("label", row.label)
            writer.field("metric", row.metric.rawValue)
            writer.field("earlier", row.earlier)
            writer.field("later", row.later)
            writer.field("ratio", row.comparison?.ratio)
            writer.field("low", row.comparison?.interval?.lowerBound)
            writer.field("high", row.comparison?.interval?.upperBound)
            writer.field("verdict", row.verdict.rawValue)
        } cells: {
            $0.cells
        }
        let complaints = maxRegress.map { changes.complaints($0) } ?? []
        if let page { try BenchFiles.write(changes.html(earlier: one, later: other, complaints: complaints), to: page) }
        guard maxRegress != nil else {
            for gap in changes.gaps { output.notice("warning", "Warning: \(gap)") }
            return
        }
        if !complaints.isEmpty { throw Failure("regress", complaints.joined(separator: "\n")) }
    }

    private static let columns = ReportComparison.titles.enumerated().map { place, title in
        TextTable.Column(title: title, alignment: (2...5).contains(place) ? .right : .left, isFlexible: place == 0)
    }

    private static func metrics(_ text: String) throws -> [LoadMetric] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            guard let metric = LoadMetric(rawValue: String(name)), metric.unit != .count, metric != .bare else {
                throw BadValue("it must be one or more of throughput, rate, mean, p50, p90, p99, p99.9, p99.99, max.")
            }
            return metric
        }
    }

    /// The maximum size of a report in bytes; enough for thousands of runs.
    private static let mostBytes = 256 << 20

    private static func report(_ path: String) throws(Failure) -> LoadReport {
        do {
            return try LoadReport(try BoundedFile.whole(path, upTo: mostBytes))
        } catch let error as BadValue {
            throw Failure("report", error.description)
        } catch { throw Failure("report", "\(path) cannot be compared. \(error)") }
    }
}
