// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation
import Geodesy
import Landmarks
import LoadTest
import TestSupport
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol

/// Measures what moving landmarks cost, beside ordinary writes, and `near` before and after an hour of them.
struct TracksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks", abstract: "Landmarks that move: processor time for each move, and near before and after."
    )

    @Option(help: "Number of landmarks in the world.") var landmarks = 1_000_000
    @Option(help: "Number of landmarks that move, all in one city.") var tracks = 1_000
    @Option(help: "Seconds of moves, one a second for each track, as fast as they can be done.") var seconds = 3_600
    @Option(help: "Rounds of ten seconds at one write a second for each track.") var rounds = 3

    func run() async throws {
        let children = try Children()
        let interruption = Interruption(children)
        defer { children.end() }
        let stage = try Stage(children, "tracks")
        print("filled in \(Int(try await stage.fill(World(landmarks: landmarks, seed: 1)))) s")
        try stage.startQuery()
        try await stage.settle()
        let fleet = try await Fleet(stage, tracks)
        for round in 1...rounds {
            for write in ["add", "edit", "move"] {
                let used = try await cost(of: write, fleet, stage, UInt64(round))
                print(
                    String(
                        format: "%@: storage %.0f us, query %.0f us of processor time each", write, used.storage,
                        used.query))
            }
        }
        try await near("before", stage)
        let moves = tracks * seconds
        let shape = LoadShape(loop: .closed(window: 256), end: .count(moves), warmUp: 0)
        let result = try await test("move", fleet, stage, first: 1 << 32).run(shape, LoadWatch(stop: children.stop))
        if let code = interruption.exitCode { throw ExitCode(code) }
        guard result.figures.failures == 0 else { throw TableError.refused(result.figures.errors) }
        print(String(format: "%d moves in %.0f s", moves, result.figures.seconds))
        try await near("at once after", stage)
        try await stage.settle()
        try await near("after", stage)
        let client = try await stage.client()
        let begun = ContinuousClock.now
        var (points, after) = (0, UInt64?(0))
        while let time = after {
            let page = try await client.tracks.page(of: fleet.ids[0], after: time, limit: 10_000)
            (points, after) = (points + page.points.count, page.next)
        }
        let took = (ContinuousClock.now - begun) / .milliseconds(1)
        print(String(format: "a track of %d points is read in %.0f ms", points, took))
        print("the database has \((try await client.status().storage?.databaseBytes ?? 0) >> 20) MiB")
        await client.close()
    }

    private func test(_ write: String, _ fleet: Fleet, _ stage: Stage, first: UInt64) -> ServiceTest {
        ServiceTest(endpoint: stage.endpoint, user: "measure", timeout: 30_000_000_000) {
            [WeightedOperation(FleetOperation(name: write, fleet: fleet, first: first))]
        }
    }

    /// Microseconds for each write.
    private func cost(
        of write: String, _ fleet: Fleet, _ stage: Stage, _ round: UInt64
    ) async throws -> (storage: Double, query: Double) {
        guard let query = stage.query else { throw CancellationError() }
        let meters = [ProcessMeter([stage.storage.pid]), ProcessMeter([query.pid])]
        let before = meters.map { $0.read()?.cpu ?? .nan }
        let rate = Double(tracks)
        let shape = LoadShape(loop: .open(.rate(rate), arrival: .constant), end: .duration(seconds: 10), warmUp: 0)
        let result = try await test(write, fleet, stage, first: round << 24).run(shape, LoadWatch())
        guard result.figures.failures == 0 else { throw TableError.refused(result.figures.errors) }
        let used = zip(meters, before).map { (($0.read()?.cpu ?? .nan) - $1) * 1e6 / (rate * 10) }
        return (used[0], used[1])
    }

    /// In the city of the tracks, and anywhere.
    private func near(_ when: String, _ stage: Stage) async throws {
        let client = try await stage.client()
        var random = SplitMix64(seed: 3)
        for (place, questions) in [
            ("in the city", try (0..<4_000).map { _ in try Fleet.place(random.unit(), random.unit()) }),
            ("anywhere", World.questions(4_000, seed: 5)),
        ] {
            var times = Sample()
            for question in questions {
                let begun = ContinuousClock.now
                _ = try await client.near(question, limit: 20)
                times.add(ContinuousClock.now - begun)
            }
            print("near \(place), \(when): \(times.text)")
        }
        await client.close()
    }
}
