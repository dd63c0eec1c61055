// SPDX-License-Identifier: Apache-2.0

import LoadTest

struct NearRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        var near = Near(try await run.everybody().stage, seed: run.seed)
        var (wide, narrow) = (Rounds(), Rounds())
        var (wideRemark, wideTime): (String?, ProcessorTime) = (nil, ProcessorTime())
        let client = try await near.stage.client()
        let position = try await client.hello().position
        await client.close()
        var writer = Near(near.stage, seed: run.seed)
        writer.atLeast = position
        var after = Rounds()
        for round in run.rounds {
            run.tell("near beside the bare bus, round \(round)")
            let many = run.closed(window: 128)
            let plain = try await near.ask(run, many).throughput
            wide.add(plain, beside: try await near.bare(run, many).throughput)
            after.add(try await writer.ask(run, many).throughput, beside: plain)
        }
        (wideRemark, wideTime) = (near.remark, near.time)
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
                .near, "\(among), window 128", .perSecond, wide, beside: "bare bus",
                goal: ProcessorMaker.here.goal(amd: .ratio(.atLeast, 0.6), intel: .ratio(.atLeast, 0.5))
            ).remarking([sizes, wideRemark]),
            wideTime.line(.near, "CPU time of the services for a near, window 128"),
            TableLine(
                .near, "\(among), window 128, of a client that has written", .perSecond, after,
                beside: "before it has written"
            ).remarking([writer.remark]),
            TableLine(
                .near, "\(among), lock-step p50", .microseconds, narrow, beside: "bare bus",
                goal: .ratio(.atMost, 1.35)),
        ]
    }
}
