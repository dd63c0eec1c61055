// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import WaymarkLoad
import WaymarkProtocol
import ZeroMQ

struct WriteBench: WritingBench, RequestBench {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Add landmarks repeatedly, until bench clean removes them.",
        discussion: """
            Each write adds a landmark with a unique name, such as "Silver Harbour 0000000017 k3x9q2". Storage answers \
            when the write is on disk. \(BenchMark.explanation)

              waymark bench write --window 256
              waymark bench write --clients 8 --rate 1k --assert 'p99<20ms,errors=0'
            """)

    @Option(.location, .around)
    var around: Location?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    func validate() throws {
        try refuse(
            if: report.raw && load.isOpen,
            "--raw writes to the bare disk at full speed: leave --rate, --profile, --replay and --ramp out.")
        try report.validate(load)
    }

    func remarks(_ service: BenchService) -> [String] { report.raw ? service.disk.remarks : [] }

    static let mixed = ["around"]
    var label: String { "add" }
    var summary: String { "write(around: \(String(reflecting: around)))" }

    func operation(at place: Coordinate?, mark: String?, seed: UInt64, isChecked: Bool) -> any LoadOperation {
        WriteOperation(around: place, seed: seed, run: LoadName.word(), kind: mark)
    }

    func cases(_ service: BenchService) -> [BenchCase] {
        var one = requests(service)
        if report.raw {
            let disk = BareDiskTest(directory: service.disk.directory)
            // The service decides how many rows it writes per flush of the disk; the bare disk writes as many.
            let (run, rows) = (one.run, Locked<Int?>(nil))
            one.run = { shape, watch in
                let before = await service.writes()
                let result = try await run(shape, watch)
                let after = await service.writes()
                rows.withLock { $0 = WritesSoFar.rowsPerCommit(from: before, to: after) }
                return result
            }
            one.bare = .init(name: "bare disk") { shape, watch, _ in
                try await disk.run(shape, rowsPerCommit: rows.withLock { $0 }, watch)
            }
        }
        return [one]
    }
}

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

    var parameters: [String: String?] { ["rows": "\(rows)"] }

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
