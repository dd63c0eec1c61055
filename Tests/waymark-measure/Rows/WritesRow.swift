// SPDX-License-Identifier: Apache-2.0

import FaultKit
import LoadTest
import WaymarkLoad

/// Durable writes directly at storage, beside plain SQLite on the same disk.
struct WritesRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        let stage = try Stage(run.children, "writes")
        defer { stage.end() }
        try stage.startQuery()
        let disk = BareDiskTest(directory: run.children.directory)
        var (wide, narrow, passed) = (Rounds(), Rounds(), [Double]())
        var (perCommit, lags, cores) = ([Double](), [Double](), [(Double, Double)]())
        var (times, each) = (ProcessorTime(), Rounds())
        for round in run.rounds {
            run.tell("writes beside the bare disk, round \(round)")
            let watch = try await SearchWatch(stage)
            let (written, cpu) = try await write(run, stage, stage.commands, run.closed(window: 256))
            let figures = written.figures
            let (rows, lag) = try await watch.end()
            perCommit.append(rows)
            lags.append(lag)
            cores.append((figures.generatorCPU / figures.seconds, (figures.servicesCPU ?? 0) / figures.seconds))
            let bare = try await run.measure(run.closed(window: 256)) {
                try await disk.run($0, rowsPerCommit: Int(rows.rounded()), $1)
            }.figures
            wide.add(figures.throughput, beside: bare.throughput)
            times.add(figures, cpu)
            each.add(times.storage.last ?? 0, beside: bare.generatorCPU * 1e6 / Double(max(1, bare.done)))
            let through = try await write(run, stage, stage.endpoint, run.closed(window: 256)).result
            passed.append(through.figures.throughput)
        }
        for round in run.rounds {
            run.tell("writes, lock-step, round \(round)")
            let one = run.closed(window: 1, seconds: run.scale.seconds / 2)
            let written = try await write(run, stage, stage.commands, one).result
            let bus = BusRequestTest(size: max(16, written.requestBytes ?? 16), answerBytes: 64)
            let trip = try await run.measure(one, bus.runBare).figures.latency.p50
            let commit = try await run.measure(one) { try await disk.run($0, $1) }.figures.latency.p50
            narrow.add(written.figures.latency.p50, beside: commit + trip)
        }
        let rows = FigureUnit.number(Spread(perCommit)?.median ?? 0)
        let busy = Generator.remark(Spread(cores.map(\.0))?.median ?? 0, Spread(cores.map(\.1))?.median ?? 0)
        let what = "durable writes, window 256"
        return [
            TableLine(
                .writes, what, .perSecond, wide, beside: "bare SQLite", goal: .ratio(.atLeast, 0.35)
            ).remarking(["\(rows) rows a commit on both sides.", busy]),
            TableLine(
                .writes, "CPU time of storage for a write, window 256, its search included", .microseconds, each,
                beside: "bare SQLite", goal: .ratio(.atMost, 2)
            ).remarking([times.remark]),
            TableLine(.writes, "\(what), through the query service", .perSecond, Spread(passed)),
            TableLine(
                .writes, "a write, lock-step p50", .microseconds, narrow, beside: "bare commit + bare round trip",
                goal: .ratio(.atMost, 1.4)),
            TableLine(
                .writes, "how far the search was behind at that rate, at most", .seconds, Spread(lags),
                goal: .measured(.atMost, 1)),
        ]
    }

    private func write(
        _ run: TableRun, _ stage: Stage, _ endpoint: String, _ shape: LoadShape
    ) async throws -> (result: LoadResult, cpu: [Double]) {
        let test = ServiceTest(endpoint: endpoint, user: "measure") { [seed = run.seed] in
            [WeightedOperation(WriteOperation(around: nil, seed: seed, run: LoadName.word()))]
        }
        return try await run.measureEach(shape, of: stage.processes, test.run)
    }
}
