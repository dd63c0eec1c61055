// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import WaymarkLoad
import WaymarkProtocol

struct IngestBench: WritingBench, RequestBench {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Ingest rows of a source repeatedly, until bench clean removes them.",
        discussion: """
            Each operation sends rows with new keys, so each adds landmarks. \(BenchMark.explanation)

              waymark bench ingest --rows 1000 --window 4 --duration 30s
              waymark bench ingest --yes --rate 20
            """)

    @Option(
        .count(upTo: WaymarkProtocol.ingestRows),
        "Rows of one operation, up to 1000. Example: --rows 1000. (default: 100)")
    var rows: Int = 100

    @Option(.location, .around)
    var around: Location?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    var parameters: [String: String] { ["rows": "\(rows)"] }

    static let mixed = ["rows", "around"]
    var label: String { "\(rows) rows" }
    var summary: String { "ingest(rows: \(rows), around: \(String(reflecting: around)))" }

    func operation(at place: Coordinate?, mark: String?, seed: UInt64, isChecked: Bool) -> any LoadOperation {
        IngestOperation(source: mark ?? "bench", rows: rows, around: place, seed: seed, run: LoadName.word() + "-")
    }

    func cases(_ service: BenchService) -> [BenchCase] {
        var one = requests(service)
        one.rowsPerOperation = rows
        return [one]
    }
}
