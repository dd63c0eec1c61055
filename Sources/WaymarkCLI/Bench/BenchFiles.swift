// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import Glibc
import LoadTest
import Settings

/// Writes the requested files beside the report.
struct BenchFiles {
    let options: BenchReportOptions
    let printer: BenchPrinter

    func write(_ report: LoadReport, _ verdicts: [LoadVerdict]) throws(Failure) {
        if let csv = options.csv { try Self.write(report.csv, to: csv) }
        if let plot = options.plot { try Self.write(report.svg, to: plot) }
        if let junit = options.junit { try Self.write(report.junit(verdicts), to: junit) }
        if let page = options.page {
            try Self.write(report.html(verdicts, notes: printer.notes(report), bareName: printer.bareName), to: page)
        }
        guard let hgrm = options.hgrm else { return }
        let labels = report.runs.labels
        for label in labels {
            guard let text = report.hgrm(of: label) else { continue }
            try Self.write(text, to: labels.count > 1 ? Self.name(hgrm, label) : hgrm)
        }
    }

    /// Returns the name of the file for one case: `near-4-KiB.hgrm` for the file `near.hgrm` and the case `4 KiB`.
    static func name(_ file: String, _ label: String) -> String {
        let word = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        return PathText.marked(file, word)
    }

    /// Refuses a file whose folder cannot be written to.
    static func check(_ path: String) throws {
        try refuse(if: access(PathText.folder(of: path), W_OK) != 0, problem(path))
    }

    static func write(_ text: String, to path: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.failed, "output", problem(path))
        }
    }

    private static func problem(_ path: String) -> String {
        "\(path) cannot be written: check its folder and the permissions."
    }
}
