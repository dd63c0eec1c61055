// SPDX-License-Identifier: Apache-2.0

import Foundation
import Gazetteer
import Geodesy
import LoadTest
import WaymarkLoad

/// `near` in worlds that people have, instead of the generated one.
struct WorldsRow: TableRow {
    private static let sydney = (latitude: -33.8568, longitude: 151.2153)

    func lines(_ run: TableRun) async throws -> [TableLine] {
        var lines: [TableLine] = []
        let scale = run.scale
        lines += try await cities(run)
        let centre = try Coordinate(latitude: Self.sydney.latitude, longitude: Self.sydney.longitude)
        lines += try await world(
            run, "\(FigureUnit.grouped(scale.cityLandmarks)) landmarks within 10 km",
            Self.disc(scale.cityLandmarks, centre, 1),
            asked: Self.disc(NearPlaces.size, centre, 2))
        let opposite = try Coordinate(latitude: -Self.sydney.latitude, longitude: Self.sydney.longitude - 180)
        lines += try await world(
            run, "five landmarks on the other side of the earth", Self.disc(5, centre, 3),
            asked: Self.disc(NearPlaces.size, opposite, 4))
        return lines + (try await FleetLines.lines(run))
    }

    /// All places of the gazetteer; asked about is where they are, with the people's few kilometres added.
    private func cities(_ run: TableRun) async throws -> [TableLine] {
        let gazetteer = try Gazetteer.embedded()
        let every = max(1, gazetteer.count / run.scale.cities)
        let cities = stride(from: 0, to: gazetteer.count, by: every).compactMap { gazetteer.place(at: $0)?.coordinate }
        var random = SeededGenerator(seed: run.seed)
        let asked = (0..<NearPlaces.size).map { _ in
            Geodesic.destination(
                from: cities[Int(random.next() % UInt64(cities.count))], bearing: random.unit() * 360,
                distance: random.unit() * 5_000)
        }
        return try await world(run, "the gazetteer's \(FigureUnit.grouped(cities.count)) places", cities, asked: asked)
    }

    private func world(
        _ run: TableRun, _ name: String, _ places: [Coordinate], asked: [Coordinate]
    ) async throws -> [TableLine] {
        run.tell("near among \(name)")
        let stage = try Stage(run.children, "world\(places.count)")
        defer { stage.end() }
        _ = try await stage.fill(World(places: places))
        try stage.startQuery()
        try await stage.settle()
        var near = Near(stage, NearPlaces(asked))
        var (rates, tails, few) = ([Double](), [Double](), near)
        for _ in run.rounds {
            rates.append(try await near.ask(run, run.closed(window: 128)).throughput)
            tails.append(try await few.ask(run, run.closed(window: 8)).latency.p99)
        }
        let what = "near --limit 20, \(name)"
        return [
            TableLine(.worlds, "\(what), window 128", .perSecond, Spread(rates)).remarking([near.remark]),
            TableLine(
                .worlds, "CPU time of the services for a near, \(name)", .microseconds, Spread(near.time.services)
            )
            .remarking([near.time.remark]),
            TableLine(.worlds, "\(what), window 8, p99", .microseconds, Spread(tails)),
        ]
    }

    /// Evenly distributed within 10 km.
    private static func disc(_ count: Int, _ centre: Coordinate, _ seed: UInt64) -> [Coordinate] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            Geodesic.destination(
                from: centre, bearing: random.unit() * 360, distance: 10_000 * random.unit().squareRoot())
        }
    }
}
