// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LoadTest

/// Both services with all landmarks, and the figures of filling them.
final class Crowd {
    let stage: Stage
    let world: World
    private(set) var ingest: Double
    /// The duration of each start from a snapshot, in seconds.
    private(set) var starts: [Double] = []
    /// The memory of the query service in bytes, empty and full, after each start.
    private(set) var bareMemory: [Double] = []
    private(set) var memory: [Double] = []
    private var places: [Coordinate]?

    init(_ run: TableRun) async throws {
        run.tell("\(FigureUnit.grouped(run.scale.landmarks)) landmarks are made")
        world = World(landmarks: run.scale.landmarks, seed: run.seed)
        stage = try Stage(run.children, "crowd")
        let empty = try Stage(run.children, "empty")
        defer { empty.end() }
        run.tell("they are put into storage")
        ingest = try await stage.fill(world)
        // While storage is still building its search index, a start would not be measured alone.
        try stage.startQuery()
        try await stage.settle()
        for _ in 0..<(run.scale.isQuick ? 1 : 5) {
            try empty.startQuery()
            try await empty.settle()
            bareMemory.append(empty.queryMemory)
            empty.stopQuery()
            stage.stopQuery()
            run.tell("the query service is started")
            starts.append(try stage.startQuery())
            try await stage.settle()
            memory.append(stage.queryMemory)
        }
    }

    /// The positions of the landmarks.
    func points() throws -> [Coordinate] {
        if let places { return places }
        let points = try world.points()
        places = points
        return points
    }
}
