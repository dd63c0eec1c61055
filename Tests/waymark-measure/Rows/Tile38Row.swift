// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import LoadTest

/// Tile38 if its server was given.
struct Tile38Row: TableRow {
    private static let goal = Goal.ratio(.atLeast, 8)
    private static let clients = 8
    private static let what = "near --limit 20, window 128"

    func lines(_ run: TableRun) async throws -> [TableLine] {
        // `near` alone is in other rows.
        guard let program = run.tile38 else { throw TableError.notInstalled("tile38-server (--tile38 PATH)") }
        let crowd = try await run.everybody()
        var near = Near(crowd.stage, seed: run.seed)
        let shape = run.closed(window: 128)
        let port = try Ports.free()
        let server = try run.children.start(
            program, ["-h", "127.0.0.1", "-p", "\(port)", "-d", "\(run.children.directory)/tile38"], log: "tile38")
        defer { run.children.end(server) }
        let lanes = try (0..<Self.clients).map { _ in try RESPConnection(port: port) }
        run.tell("Tile38 is filled")
        try Self.fill(lanes[0], try crowd.points(), run)
        let questions = World.questions(4_096, seed: run.seed).map { place in
            RESPConnection.encode(
                ["NEARBY", "points", "LIMIT", "20", "POINTS", "POINT", "\(place.latitude)", "\(place.longitude)"])
        }
        var rounds = Rounds()
        for round in run.rounds {
            run.tell("near beside Tile38, round \(round)")
            let own = try await near.ask(run, shape).throughput
            let rate = try RESPRate.measure(
                lanes, questions, size: 1, seconds: run.scale.seconds, run.children.stop)
            try run.check()
            rounds.add(own, beside: rate)
        }
        return [
            TableLine(.tile38, Self.what, .perSecond, rounds, beside: "Tile38, 8 clients", goal: Self.goal)
        ]
    }

    private static func fill(_ tile38: RESPConnection, _ points: [Coordinate], _ run: TableRun) throws {
        for first in stride(from: 0, to: points.count, by: 1_000) {
            try run.check()
            let numbers = first..<min(points.count, first + 1_000)
            try tile38.send(
                numbers.flatMap { number in
                    RESPConnection.encode([
                        "SET", "points", "\(number)", "POINT", "\(points[number].latitude)",
                        "\(points[number].longitude)",
                    ])
                })
            for _ in numbers { _ = try tile38.receive() }
        }
    }
}
