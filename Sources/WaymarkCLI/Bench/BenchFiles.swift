// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LoadTest
import Settings

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

    /// Refuses a file whose folder cannot be written to.
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
