// SPDX-License-Identifier: Apache-2.0

import Geodesy
import WaymarkClient
import WaymarkProtocol

/// Compares each answer with the true one.
struct OrderRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        let scale = run.scale
        run.tell("\(FigureUnit.grouped(scale.questions)) answers beside brute force")
        let world = World(landmarks: scale.points, seed: run.seed &+ 1)
        let stage = try Stage(run.children, "order")
        defer { stage.end() }
        _ = try await stage.fill(world)
        try stage.startQuery()
        try await stage.settle()
        let truth = BruteForce(try world.points())
        let client = try await stage.client()
        var wrong = 0
        do {
            for place in World.questions(scale.questions, seed: run.seed &+ 1) {
                try run.check()
                let told = try await Self.ask(client, place)
                if !Self.isTrue(told, place, truth) { wrong += 1 }
            }
        } catch {
            await client.close()
            throw error
        }
        await client.close()
        let what =
            "answers of near --limit 20 that differ from brute force with GeographicLib, of "
            + "\(FigureUnit.grouped(scale.questions)) among \(FigureUnit.grouped(scale.points))"
        return [TableLine(.order, what, .count, Spread(Double(wrong)), goal: .measured(.atMost, 0))]
    }

    /// - Returns: the numbers of the landmarks, nearest first.
    private static func ask(_ client: WaymarkClient, _ place: Coordinate) async throws -> [Int] {
        let request = WireRequest.with {
            $0.near = .with { ($0.lat, $0.lng, $0.limit) = (place.latitude, place.longitude, 20) }
        }
        guard case .hits(let hits)? = try await client.send(request).1.result else {
            throw TableError.unreadable("the query service")
        }
        return try hits.hits.map { hit in
            guard let number = Int(hit.landmark.source.key) else { throw TableError.unreadable("the query service") }
            return number
        }
    }

    /// Whether the distances equal those of the true answer one by one, and no landmark is repeated. Of two landmarks
    /// at equal distance either may come first here, because their ids, which decide, are unknown.
    static func isTrue(_ told: [Int], _ place: Coordinate, _ truth: BruteForce) -> Bool {
        guard Set(told).count == told.count, told.allSatisfy(truth.points.indices.contains) else { return false }
        let nearest = truth.nearest(20, to: place)
        return told.map { Geodesic.distance(from: place, to: truth.points[$0]) } == nearest.map(\.distance)
    }
}
