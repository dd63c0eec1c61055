// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import Landmarks
import WaymarkLoad
import WaymarkProtocol

struct IngestBench: PlacedBench {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Ingest rows of a source repeatedly. The landmarks are real and stay.",
        discussion: """
            Each operation sends rows with new keys, so each adds landmarks to the tested collection.

              waymark bench ingest --rows 1000 --window 4 --duration 30s
              waymark bench ingest --source load-test --rate 20
            """)
    static let mode = "ingest"

    @Option(
        help: ArgumentHelp(
            "Rows of one operation, up to 1000. Example: --rows 1000. (default: 100)", valueName: "count"),
        transform: Values.count)
    var rows: Int = 100

    @Option(help: ArgumentHelp("The source's name. Example: --source load-test. (default: bench)", valueName: "name"))
    var source = "bench"

    @OptionGroup var place: AroundOptions

    @OptionGroup(title: "Load") var load: BenchShapeOptions
    @OptionGroup(title: "Figures") var report: BenchReportOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions
    @OptionGroup var printing: OutputOptions

    func validate() throws {
        if rows > WaymarkProtocol.ingestRows {
            throw ValidationError("--rows is at most \(WaymarkProtocol.ingestRows).")
        }
        try report.validate(load)
    }

    var parameters: [String: String] {
        Self.parameters(rows: rows)
    }

    func cases(_ service: BenchService) throws -> [BenchCase] {
        let source = try LandmarkRules.source(source)
        var one = requests("\(rows) rows", service, isCompared: report.raw) {
            [rows, around = service.around, seed = load.seed] in
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
