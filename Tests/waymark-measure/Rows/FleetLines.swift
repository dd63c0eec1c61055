// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad

/// Landmarks that move about a city of the great world: what a move costs, and `near` there before and after.
/// `waymark-measure tracks` does the same for a whole hour.
enum FleetLines {
    static func lines(_ run: TableRun) async throws -> [TableLine] {
        let stage = try await run.everybody().stage
        run.tell("\(FigureUnit.grouped(run.scale.tracks)) landmarks that move are made")
        let fleet = try await Fleet(stage, run.scale.tracks)
        var random = SeededGenerator(seed: 3)
        var near = Near(
            stage, NearPlaces(try (0..<NearPlaces.size).map { _ in try Fleet.place(random.unit(), random.unit()) }))
        var (time, rates, tails) = (ProcessorTime(), [Double](), Rounds())
        let few = run.closed(window: 8)
        for round in run.rounds {
            run.tell("landmarks move, round \(round)")
            let before = try await near.ask(run, few).latency.p99
            let test = ServiceTest(endpoint: stage.endpoint, user: "measure", timeout: 30_000_000_000) {
                [WeightedOperation(FleetOperation(name: "move", fleet: fleet, first: UInt64(round) << 32))]
            }
            let shape = LoadShape(loop: .closed(window: 256), end: .count(run.scale.moves), warmUp: 0)
            let (result, cpu) = try await run.measureEach(shape, of: stage.processes, test.run)
            time.add(result.figures, cpu)
            rates.append(result.figures.throughput)
            try await stage.settle()
            tails.add(try await near.ask(run, few).latency.p99, beside: before)
        }
        let tracks = "\(FigureUnit.grouped(run.scale.tracks)) landmarks that move"
        let moves = FigureUnit.grouped(run.scale.moves)
        let seconds = FigureUnit.grouped(run.scale.moves / max(1, run.scale.tracks))
        return [
            TableLine(.worlds, "moves, \(tracks), window 256", .perSecond, Spread(rates)).remarking([
                "\(moves) moves in each round, as many as in \(seconds) seconds at one a second for each."
            ]),
            TableLine(.worlds, "CPU time of the services for a move", .microseconds, Spread(time.services))
                .remarking([time.remark]),
            TableLine(
                .worlds, "near --limit 20 in their city, window 8, p99, after a round of moves", .microseconds, tails,
                beside: "before it"),
        ]
    }
}
