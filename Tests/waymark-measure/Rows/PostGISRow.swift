// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// PostGIS with the same points and the same places asked about.
struct PostGISRow: TableRow {
    private static let clients = 8
    private static let questions = 10_000
    private static let goal = Goal.ratio(.atLeast, 45)
    private static let what = "near --limit 20, window 128"

    func lines(_ run: TableRun) async throws -> [TableLine] {
        let crowd = try await run.everybody()
        var near = Near(crowd.stage, seed: run.seed)
        let shape = run.closed(window: 128)
        let rival = try PostgreSQLServer(run.children, withPostGIS: true)
        defer { rival.end() }
        (run.versions["PostgreSQL"], run.versions["PostGIS"]) = try rival.versions()
        run.tell("PostGIS is filled")
        try rival.fill(try crowd.points(), questions: World.questions(Self.questions, seed: run.seed))
        let usesIndex = try rival.plan().contains("Index Scan using points_place_idx")
        var rounds = Rounds()
        for round in run.rounds {
            run.tell("near beside PostGIS, round \(round)")
            let own = try await near.ask(run, shape).throughput
            let rate = try rival.rate(
                clients: Self.clients, questions: Self.questions, seconds: run.scale.seconds)
            try run.check()
            rounds.add(own, beside: rate)
        }
        return [
            TableLine(
                .postgis, Self.what, .perSecond, rounds, beside: "PostGIS, 8 clients", goal: Self.goal
            ).remarking([usesIndex ? nil : "PostGIS did not use its index."])
        ]
    }
}
