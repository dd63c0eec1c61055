// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestProcess
import TestSupport
import TestTurns
import Testing
import WaymarkClient

@Suite("near against brute force", .inTurn)
struct ProcessNearTests {
    private static let seed: UInt64 = 2_016
    private static let positions = 200

    @Test("ids, order and metres equal those of brute force, also at the poles and ±180")
    func bruteForce() async throws {
        try await withProcessPair { pair in
            var random = SplitMix64(seed: Self.seed)
            let rows = ProcessPopulation.rows(&random)
            try pair.bench.write(ProcessRow.file(rows), to: "points.json")
            let report = try await ProcessCommandTests.json(
                pair.waymark("ingest", "points.json", "--source", "points", "-o", "json"))
            #expect(report.first?.number("added") == Double(rows.count))
            try await withClient(try await pair.client()) { client in
                let truth = try await ProcessHistory.landmarks(client)
                #expect(truth.count == rows.count)
                for number in 0..<Self.positions {
                    try await Self.compare(number, ProcessPopulation.position(&random), truth, client)
                }
                try await Self.paging(pair, truth, client, &random)
            }
        }
    }

    private static func compare(
        _ number: Int, _ here: Coordinate, _ truth: [Landmark], _ client: WaymarkClient
    ) async throws {
        let measured = ProcessPopulation.measured(truth, from: here)
        // Far away, the order of chords differs from that of geodesics.
        let limit = number.isMultiple(of: 8) ? 1_000 : 30
        let whole = try await client.near(here, limit: limit)
        try requireSame(whole.hits, measured.prefix(limit), here)
        // Both bounds are inclusive, so they are set to the distances of landmarks.
        let (inner, outer) = (measured[8].distance, measured[40].distance)
        let ring = try await client.near(here, limit: 100, radius: outer, minDistance: inner)
        try requireSame(ring.hits, measured.filter { (inner...outer).contains($0.distance) }.prefix(100), here)
        guard number.isMultiple(of: 4) else { return }
        let filter = LandmarkFilter(kinds: ["kind_\(number % 5)"], source: "points")
        let some = try await client.near(here, limit: 15, radius: 8_000_000, filter: filter)
        try requireSame(
            some.hits, measured.filter { $0.distance <= 8_000_000 && filter.matches($0.landmark) }.prefix(15), here)
    }

    /// Pages through everything while another client adds and removes.
    private static func paging(
        _ pair: ProcessPair, _ truth: [Landmark], _ client: WaymarkClient, _ random: inout SplitMix64
    ) async throws {
        let isOver = Awaited(false)
        let count = Awaited(0)
        let writing = Task {
            try await withClient(try await pair.client(user: "ben")) { writer in
                for number in 0... {
                    if isOver.now { break }
                    let place = try Coordinate(latitude: Double(number % 80), longitude: Double(number * 7 % 180))
                    let added = try await writer.add(LandmarkDraft(name: "elsewhere \(number)", coordinate: place))
                    if number.isMultiple(of: 2) { _ = try await writer.remove(added.id) }
                    count.update { $0 += 1 }
                }
            }
        }
        try await count.wait(.seconds(120), for: "a write") { $0 > 0 ? () : nil }
        for limit in [37, 1_000] {
            let before = count.now
            let here = ProcessPopulation.position(&random)
            var hits: [Hit] = []
            var cursor: Data?
            repeat {
                let page = try await client.near(here, limit: limit, after: cursor)
                hits += page.hits
                cursor = page.cursor
            } while cursor != nil
            #expect(Set(hits.map(\.landmark.id)).count == hits.count, "no repeats")
            let known = Set(truth.map(\.id))
            let measured = ProcessPopulation.measured(truth, from: here)
            try requireSame(hits.filter { known.contains($0.landmark.id) }, measured[...], here)
            #expect(zip(hits, hits.dropFirst()).allSatisfy { ($0.distance ?? 0) <= ($1.distance ?? 0) })
            if limit == 37 { #expect(count.now > before, "there were writes meanwhile") }
        }
        isOver.update { $0 = true }
        try await writing.value
    }

    private static func requireSame(
        _ hits: some Sequence<Hit>, _ expected: ArraySlice<MeasuredLandmark>, _ here: Coordinate
    ) throws {
        try #require(hits.map(\.landmark.id) == expected.map(\.landmark.id), "from \(here)")
        // The protocol's accuracy of a distance. Order and membership are exact.
        let isTrue = zip(hits, expected).allSatisfy { abs(($0.distance ?? .nan) - $1.distance) <= 1e-6 }
        try #require(isTrue, "from \(here)")
    }
}
