// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// `near` while others write.
struct MixedRow: TableRow {
    private static let rate = 1_000.0

    func lines(_ run: TableRun) async throws -> [TableLine] {
        let stage = try await run.everybody().stage
        var near = Near(stage, seed: run.seed)
        // Few users: with more, the queue at the service would be measured.
        let shape = run.closed(window: 8, seconds: run.scale.seconds * 1.5)
        var (rounds, written) = (Rounds(), [Double]())
        for round in run.rounds {
            run.tell("near while others write, round \(round)")
            let alone = try await near.ask(run, shape)
            let writer = try await SteadyWriter(stage, rate: Self.rate)
            let beside: LoadFigures
            do { beside = try await near.ask(run, shape) } catch {
                _ = try? await writer.end()
                throw error
            }
            written.append(try await writer.end())
            rounds.add(beside.latency.p99, beside: alone.latency.p99)
        }
        let rate = FigureUnit.perSecond.text(Spread(written)?.median ?? 0)
        return [
            TableLine(
                .mixed, "p99 of near, window 8, while \(FigureUnit.perSecond.text(Self.rate)) are written",
                .microseconds, rounds, beside: "without writes", goal: .ratio(.atMost, 1.4)
            ).remarking(["\(rate) were acknowledged."])
        ]
    }
}
