// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LoadTest

/// The pair with all landmarks, and what it took to get there.
final class Crowd {
    let stage: Stage
    let world: World
    private(set) var ingest: Double
    /// Seconds of each start from a snapshot.
    private(set) var starts: [Double] = []
    /// Bytes of the query service, with nothing in it and with everything.
    private(set) var bareMemory: Double
    private(set) var memory: [Double] = []
    private var places: [Coordinate]?

    init(_ run: TableRun) async throws {
        run.tell("\(FigureUnit.grouped(run.scale.landmarks)) landmarks are made")
        world = World(landmarks: run.scale.landmarks, seed: run.seed)
        stage = try Stage(run.children, "crowd")
        try stage.startQuery()
        try await Task.sleep(for: .milliseconds(500))
        bareMemory = stage.queryMemory
        stage.stopQuery()
        run.tell("they are put into storage")
        ingest = try await stage.fill(world)
        // While the search takes them in, which is storage's own work beside it, no start would be measured alone.
        try stage.startQuery()
        try await stage.settle()
        for _ in 0..<(run.scale.isQuick ? 1 : 3) {
            stage.stopQuery()
            run.tell("the query service is started")
            starts.append(try stage.startQuery())
            try await stage.settle()
            memory.append(stage.queryMemory)
        }
    }

    /// Where the landmarks are.
    func points() throws -> [Coordinate] {
        if let places { return places }
        let points = try world.points()
        places = points
        return points
    }
}
