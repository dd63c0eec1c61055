// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LoadTest
import Settings

/// Writes the requested files beside the report.
struct BenchFiles {
    let options: BenchReportOptions

    func write(_ report: LoadReport) throws(Failure) {
        if let csv = options.csv { try write(report.csv, to: csv) }
        if let plot = options.plot { try write(report.svg, to: plot) }
        guard let hgrm = options.hgrm else { return }
        let labels = report.runs.labels
        for label in labels {
            guard let text = report.hgrm(of: label) else { continue }
            try write(text, to: labels.count > 1 ? Self.name(hgrm, label) : hgrm)
        }
    }

    /// Returns the name of the file for one case: `near-4-KiB.hgrm` for the file `near.hgrm` and the case `4 KiB`.
    static func name(_ file: String, _ label: String) -> String {
        let word = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        return PathText.marked(file, word)
    }

    private func write(_ text: String, to path: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.failed, "output", "\(path) cannot be written: check its folder and the permissions.")
        }
    }
}
