// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkLoad
import WaymarkProtocol

struct IngestBench: WritingBench {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Ingest rows of a source repeatedly, until bench clean removes them.",
        discussion: """
            Each operation sends rows with new keys, so each adds landmarks. \(BenchMark.explanation)

              waymark bench ingest --rows 1000 --window 4 --duration 30s
              waymark bench ingest --yes --rate 20
            """)

    @Option(.count, "Rows of one operation, up to 1000. Example: --rows 1000. (default: 100)")
    var rows: Int = 100

    @OptionGroup var place: AroundOptions

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    func validate() throws {
        try refuse(if: rows > WaymarkProtocol.ingestRows, "--rows is at most \(WaymarkProtocol.ingestRows).")
        try report.validate(load)
    }

    var around: Location? { place.around }

    var parameters: [String: String] { ["rows": "\(rows)"] }

    func cases(_ service: BenchService) -> [BenchCase] {
        var one = requests("\(rows) rows", service) {
            [rows, around = service.around, seed = load.seed, source = service.mark?.name ?? "bench"] in
            let run = LoadName.word() + "-"
            return [
                WeightedOperation(
                    IngestOperation(source: source, rows: rows, around: around, seed: seed, run: run))
            ]
        }
        one.rowsPerOperation = rows
        return [one]
    }
}
