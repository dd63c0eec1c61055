// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

/// Storage's start with a long change log. It comes last, after all that the other rows have written.
struct StartRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        let crowd = try await run.everybody()
        let stage = crowd.stage
        run.tell("each landmark is moved, and moved back")
        // In the end each is where it was before.
        _ = try await stage.fill(World(landmarks: run.scale.landmarks, seed: run.seed &+ 2))
        _ = try await stage.fill(crowd.world)
        try await stage.settle()
        let client = try await stage.client(isOfStorage: true)
        let storage = try await client.status().storage
        await client.close()
        var starts: [Double] = []
        for round in run.rounds {
            run.tell("storage is started, round \(round)")
            try run.check()
            starts.append(try stage.restartStorage())
        }
        try await stage.settle()
        let count = FigureUnit.grouped(run.scale.landmarks)
        let (head, floor) = (storage?.head ?? 0, storage?.floor ?? 0)
        let changes = FigureUnit.grouped(Int(clamping: head - min(head, floor)))
        let size = FigureUnit.grouped(Int(clamping: (storage?.databaseBytes ?? 0) >> 20))
        return [
            TableLine(
                .start, "storage from start until it listens, with \(count) landmarks and \(changes) changes", .seconds,
                Spread(starts), goal: .measured(.atMost, 1)
            ).remarking(["The goal is for 10,000,000 changes. The database has \(size) MiB."])
        ]
    }
}
