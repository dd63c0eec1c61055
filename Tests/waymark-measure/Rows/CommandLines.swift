// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LoadTest

/// The command `waymark near`, each run a new process, beside a run that only tells its version.
enum CommandLines {
    private static let near = "waymark near, from start to end, p50"

    static func lines(_ run: TableRun, _ stage: Stage, at place: Coordinate) async throws -> [TableLine] {
        let program: String
        // The other lines do not need it.
        do { program = try Stage.product("waymark") } catch {
            var line = TableLine(.people, missing: "\(error)")
            line.what = near
            return [line]
        }
        let commands = [
            [program, "near", "\(place.latitude),\(place.longitude)", "--connect", stage.endpoint],
            [program, "--version"],
        ]
        let (times, folder, stop) = (run.scale.commands, run.children.directory, run.children.stop)
        var (rounds, more) = (Rounds(), [Double]())
        for round in run.rounds {
            run.tell("waymark near and waymark --version, round \(round)")
            let medians = try await LoadThread.run {
                try CommandTimes.measure(commands, times: times, folder: folder) {
                    if stop.isAsked { throw CancellationError() }
                }
            }.map { $0.percentile(0.5) }
            rounds.add(medians[0], beside: medians[1])
            more.append(medians[0] - medians[1])
        }
        let runs = "\(times) runs of each in a round, in turns."
        return [
            TableLine(.people, near, .microseconds, rounds, beside: "waymark --version").remarking([runs]),
            TableLine(
                .people, "waymark near, over waymark --version", .microseconds, Spread(more),
                goal: .measured(.atMost, 4_000)),
            TableLine(
                .people, "waymark --version, from start to end, p50", .microseconds, Spread(rounds.rival),
                goal: .measured(.atMost, 10_000)),
        ]
    }
}
