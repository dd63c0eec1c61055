// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import LoadTest

/// Redis with the same points and the same places asked about.
struct RedisRow: TableRow {
    /// Radius in kilometres, and the factor by which Redis must be slower.
    private static let radii = [(5, 2.0), (25, 15.0), (100, 100.0)]
    private static let batch = 64
    private static let judged = 500

    func lines(_ run: TableRun) async throws -> [TableLine] {
        let program = try Tools.find("redis-server")
        let crowd = try await run.everybody()
        let points = try crowd.points()
        let port = try Ports.free()
        run.tell("Redis is filled")
        let server = try run.children.start(
            program, ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"], log: "redis")
        defer { run.children.end(server) }
        run.versions["Redis"] = try Tools.output([program, "--version"]).split(separator: " ")
            .first { $0.hasPrefix("v=") }.map { String($0.dropFirst(2)) }
        let redis = try RESPConnection(port: port)
        try Self.fill(redis, points, run)
        let truth = BruteForce(points)
        var lines: [TableLine] = []
        for (kilometres, bound) in Self.radii {
            lines.append(try await line(run, crowd.stage, redis, kilometres, bound, truth))
        }
        return lines
    }

    private static func fill(_ redis: RESPConnection, _ points: [Coordinate], _ run: TableRun) throws {
        for first in stride(from: 0, to: points.count, by: 1_000) {
            try run.check()
            let members = (first..<min(points.count, first + 1_000)).flatMap {
                ["\(points[$0].longitude)", "\(points[$0].latitude)", "\($0)"]
            }
            _ = try redis.ask(["GEOADD", "points"] + members)
        }
    }

    private static func command(_ place: Coordinate, _ kilometres: Int) -> [String] {
        [
            "GEOSEARCH", "points", "FROMLONLAT", "\(place.longitude)", "\(place.latitude)", "BYRADIUS",
            "\(kilometres)", "km", "ASC", "COUNT", "20",
        ]
    }

    private func line(
        _ run: TableRun, _ stage: Stage, _ redis: RESPConnection, _ kilometres: Int, _ bound: Double,
        _ truth: BruteForce
    ) async throws -> TableLine {
        let places = World.questions(Self.batch * 64, seed: run.seed)
        let batches = stride(from: 0, to: places.count, by: Self.batch).map { first in
            places[first..<first + Self.batch].flatMap { RESPConnection.encode(Self.command($0, kilometres)) }
        }
        var near = Near(stage, radius: Double(kilometres) * 1_000, seed: run.seed)
        var free = Near(stage, seed: run.seed)
        var (rounds, unbounded) = (Rounds(), [Double]())
        for round in run.rounds {
            run.tell("near beside Redis, \(kilometres) km, round \(round)")
            let own = try await near.ask(run, run.closed(window: 128)).throughput
            unbounded.append(
                try await free.ask(run, run.closed(window: 128, seconds: run.scale.seconds / 2)).throughput)
            let rate = try RESPRate.measure(
                [redis, redis], batches, size: Self.batch, seconds: run.scale.seconds, run.children.stop)
            try run.check()
            rounds.add(own, beside: rate)
        }
        let judged = places.prefix(run.scale.isQuick ? 50 : Self.judged)
        let wrong = try judged.count { try !Self.isTrue(redis, $0, kilometres, truth) }
        let within = judged.reduce(0) { $0 + truth.count(within: Double(kilometres) * 1_000, of: $1) } / judged.count
        return TableLine(
            .redis, "near --limit 20 --radius \(kilometres)km, window 128", .perSecond, rounds,
            beside: "Redis, pipelined", goal: .ratio(.atLeast, bound)
        ).remarking([
            "About \(FigureUnit.grouped(within)) points within it, on the average. "
                + "Without a radius \(FigureUnit.perSecond.text(Spread(unbounded)?.median ?? 0)).",
            "\(wrong) of \(judged.count) answers of Redis are not the nearest in true order.", near.remark,
        ])
    }

    private static func isTrue(
        _ redis: RESPConnection, _ place: Coordinate, _ kilometres: Int, _ truth: BruteForce
    ) throws -> Bool {
        guard case .list(let told) = try redis.ask(command(place, kilometres)) else {
            throw TableError.unreadable("Redis")
        }
        let numbers = told.map { reply -> Int? in
            guard case .text(let bytes) = reply else { return nil }
            return Int(String(decoding: bytes, as: UTF8.self))
        }
        return numbers == truth.nearest(20, to: place, within: Double(kilometres) * 1_000).map { Optional($0.number) }
    }
}
