// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LoadTest
import Settings

/// Prints a report: a table for people, with a chart on a terminal, or JSON for programs.
struct BenchPrinter {
    private static let pictureRows = 18
    private static let widestPicture = 100
    /// The maximum number of receivers with a line of their own.
    private static let mostReceivers = 16

    let output: Output
    /// The name of the comparison run, such as `bare bus`.
    let bareName: String

    func print(_ report: LoadReport) throws {
        switch output.format {
        case .json: try output.out.write(Array(report.encoded()) + [UInt8(ascii: "\n")])
        case .text:
            var columns = LoadReport.titles.map { TextTable.Column(title: $0, alignment: .right) }
            columns[0] = .init(title: LoadReport.titles[0], isFlexible: true)
            try output.table(TextTable(columns, rows: report.rows(bareName: bareName)))
            try output.lines(notes(report))
            if let width = output.width, report.runs.contains(where: { $0.figures.done > 0 }) {
                try output.line("")
                try output.lines(report.picture(columns: min(width, Self.widestPicture), rows: Self.pictureRows))
            }
        }
    }

    /// Returns sentences about the figures; of a search for the highest rate only that rate, not single runs.
    func notes(_ report: LoadReport) -> [String] {
        report.knees?.sorted { $0.key < $1.key }.map { label, rate in
            "\(label): \(LoadQuantity.text(rate, .perSecond)) is the highest rate that meets the assertions"
        } ?? remarks(report.runs)
    }

    private func remarks(_ runs: [LoadReport.Run]) -> [String] {
        runs.labels.flatMap { label in
            let rows = runs.first { $0.label == label }?.rowsPerOperation
            let (own, bare) = (runs.figures(of: label), runs.bareFigures(of: label))
            let written = rows.flatMap { rows in own.map(\.throughput).median.map { $0 * Double(rows) } }
            let remarks = [
                spread(own), written.map { "\(Figures.count(UInt64($0))) rows/s" }, share(own, bare),
                BenchJudge.errors(own).map { "errors: \($0)" }, offered(own), usage(own),
            ]
            return (remarks.compactMap { $0 } + receivers(own)).map { "\(label): \($0)" }
        }
    }

    /// Describes what each receiver received and lost in all runs, if they differ.
    private func receivers(_ runs: [LoadFigures]) -> [String] {
        let all = runs.flatMap { $0.receivers ?? [] }
        let names = all.map(\.name).distinct
        let rest = names.count - Self.mostReceivers
        return names.prefix(Self.mostReceivers).map { name in
            let own = all.filter { $0.name == name }
            func sum(_ figure: (LoadFigures.Receiver) -> UInt64) -> UInt64 { own.reduce(0) { $0 + figure($1) } }
            let missed = sum(\.missed)
            return "\(name): \(Figures.count(sum(\.received))) received, \(Figures.count(sum(\.lost))) lost"
                + (missed > 0 ? ", \(Figures.count(missed)) missed before it joined" : "")
        } + (rest > 0 ? ["and \(rest) more receivers: see -o json"] : [])
    }

    private func spread(_ runs: [LoadFigures]) -> String? {
        let rates = runs.map(\.throughput)
        guard runs.count > 1, let median = rates.median, let least = rates.min(), let most = rates.max() else {
            return nil
        }
        func text(_ rate: Double) -> String { LoadQuantity.text(rate, .perSecond) }
        return "median \(text(median)), from \(text(least)) to \(text(most)) in \(runs.count) runs"
    }

    /// Compares the results with the bare run. In a closed loop the throughput is compared, too. In an open loop the
    /// test sets the throughput, so only the latencies are compared.
    private func share(_ runs: [LoadFigures], _ bare: [LoadFigures]) -> String? {
        func ratio(_ figure: (LoadFigures) -> Double) -> Double? {
            zip(runs, bare).compactMap { figure($1) > 0 ? figure($0) / figure($1) : nil }.median
        }
        guard let share = ratio(\.throughput), let p50 = ratio(\.latency.p50), let p99 = ratio(\.latency.p99) else {
            return nil
        }
        let isOpen = (runs + bare).contains { $0.intendedRate != nil }
        return "p50 \(LoadQuantity.digits(p50)) times, p99 \(LoadQuantity.digits(p99)) times that of the \(bareName)"
            + (isOpen ? "" : "; throughput \(LoadQuantity.text(share, .fraction)) of the \(bareName)")
    }

    /// Describes the share of the intended rate at which an open loop really sent.
    private func offered(_ runs: [LoadFigures]) -> String? {
        let parts = runs.compactMap { run in run.intendedRate.map { run.throughput / $0 } }
        guard let part = parts.median, let rate = runs.first?.intendedRate else { return nil }
        let (late, skipped) = (runs.reduce(0) { $0 + $1.late }, runs.reduce(0) { $0 + $1.skipped })
        return "\(LoadQuantity.text(part, .fraction)) of \(LoadQuantity.text(rate, .perSecond)) intended, "
            + "\(Figures.count(late)) late, \(Figures.count(skipped)) skipped"
    }

    private func usage(_ runs: [LoadFigures]) -> String? {
        guard let cpu = runs.map(\.generatorCPU).median, let seconds = runs.map(\.seconds).median else { return nil }
        func text(_ seconds: Double) -> String { LoadQuantity.text(seconds * 1e6, .microseconds) }
        var line = "CPU of this program \(text(cpu)) in \(text(seconds))"
        if let services = runs.compactMap(\.servicesCPU).median { line += ", of the services \(text(services))" }
        if let memory = runs.compactMap({ $0.servicesMemory }).max() {
            line += "; their memory \(Figures.bytes(memory))"
        }
        return line
    }
}

/// The files that a load test writes.
enum BenchFiles {
    static func write(
        _ report: LoadReport, _ verdicts: [LoadVerdict], _ options: BenchReportOptions, _ printer: BenchPrinter
    ) throws(Failure) {
        if let csv = options.csv { try write(report.csv, to: csv) }
        if let plot = options.plot { try write(report.svg, to: plot) }
        if let junit = options.junit { try write(report.junit(verdicts), to: junit) }
        if let page = options.page {
            try write(report.html(verdicts, notes: printer.notes(report), bareName: printer.bareName), to: page)
        }
        guard let hgrm = options.hgrm else { return }
        let labels = report.runs.labels
        for label in labels {
            guard let text = report.hgrm(of: label) else { continue }
            // A file of several is named after its case: `near-4-KiB.hgrm` after the case `4 KiB`.
            let word = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
            try write(text, to: labels.count > 1 ? PathText.marked(hgrm, word) : hgrm)
        }
    }

    static func check(_ path: String) throws {
        try refuse(if: access(PathText.folder(of: path), W_OK) != 0, problem(path))
    }

    static func write(_ text: String, to path: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch { throw Failure("output", problem(path)) }
    }

    static func problem(_ path: String) -> String { "\(path) cannot be written: check its folder and the permissions." }
}
