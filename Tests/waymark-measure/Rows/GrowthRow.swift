// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// The time of a query in the small world and in the great one.
struct GrowthRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        let crowd = try await run.everybody()
        let village = try Stage(run.children, "village")
        defer { village.end() }
        _ = try await village.fill(World(landmarks: run.scale.small, seed: run.seed))
        try village.startQuery()
        try await village.settle()
        var (great, small) = (Near(crowd.stage, seed: run.seed), Near(village, seed: run.seed))
        var (times, work) = (Rounds(), Rounds())
        let shape = run.closed(window: 128)
        for round in run.rounds {
            run.tell("growth, round \(round)")
            let (many, few) = (try await great.ask(run, shape), try await small.ask(run, shape))
            times.add(1e6 / many.throughput, beside: 1e6 / few.throughput)
            work.add(Self.work(many), beside: Self.work(few))
        }
        let range = "\(FigureUnit.grouped(run.scale.small)) to \(FigureUnit.grouped(run.scale.landmarks)) landmarks"
        let name = "\(FigureUnit.grouped(run.scale.small)) landmarks"
        return [
            TableLine(
                .growth, "time of a near, window 128, from \(range)", .microseconds, times, beside: name,
                goal: .ratio(.atMost, 2)
            ).remarking([great.remark]),
            TableLine(.growth, "CPU time of both services for it", .microseconds, work, beside: name)
                .remarking([great.time.remark]),
        ]
    }

    /// The services' CPU time for one query, in microseconds.
    private static func work(_ figures: LoadFigures) -> Double {
        (figures.servicesCPU ?? 0) * 1e6 / Double(max(1, figures.done))
    }
}
