// SPDX-License-Identifier: Apache-2.0

import LoadTest

struct NearRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        var near = Near(try await run.everybody().stage, seed: run.seed)
        var (wide, narrow) = (Rounds(), Rounds())
        var wideRemark: String?
        for round in run.rounds {
            run.tell("near beside the bare bus, round \(round)")
            let many = run.closed(window: 128)
            wide.add(
                try await near.ask(run, many).throughput, beside: try await near.bare(run, many).throughput)
        }
        wideRemark = near.remark
        for round in run.rounds {
            run.tell("near beside the bare bus, lock-step, round \(round)")
            let one = run.closed(window: 1, seconds: run.scale.seconds / 2)
            narrow.add(
                try await near.ask(run, one).latency.p50, beside: try await near.bare(run, one).latency.p50)
        }
        let among = "near --limit 20 among \(FigureUnit.grouped(run.scale.landmarks))"
        let sizes = "Answers of \(FigureUnit.grouped(near.sizes.answer)) bytes."
        return [
            TableLine(
                .near, "\(among), window 128", .perSecond, wide, beside: "bare bus", goal: .ratio(.atLeast, 0.6)
            ).remarking([sizes, wideRemark]),
            TableLine(
                .near, "\(among), lock-step p50", .microseconds, narrow, beside: "bare bus",
                goal: .ratio(.atMost, 1.4)),
        ]
    }
}
