// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestProcess
import TestSupport
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("watch as events", .inShortTurn)
struct CLIWatchTests {
    private static let limit = 6

    @Test("after each write and each move the list equals near's", arguments: [nil, 40_000.0])
    func exact(_ radius: Double?) async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                let input = LineSource()
                let watch = CLILive(
                    ["watch", "--near", "0,0", "--limit", "\(Self.limit)", "-o", "json", "--follow-position"]
                        + (radius.map { ["--radius", "\(Int($0))m"] } ?? []),
                    environment: pair.variables, input: input)
                try await Self.walk(client, watch, input, radius)
                input.end()
                // The last position stays in effect after stdin has ended.
                _ = try await client.add(LandmarkDraft(name: "last", coordinate: Coordinate(latitude: 0, longitude: 0)))
                try await Self.agree(watch, client, try Coordinate(latitude: 0, longitude: 0), radius)
                await watch.stop()
                #expect(try Self.notices(watch).isEmpty, "\(watch.err.all)")
            }
        }
    }

    /// The codes of the notices told, except that the feed is silent and that it is heard again, which a busy machine
    /// may make true.
    private static func notices(_ watch: CLILive) throws -> [String?] {
        try watch.err.lines.map { try ProcessJSON($0).object("notice")?["code"] }
            .filter { $0 != "lost" && $0 != "resumed" }
    }

    private static func walk(
        _ client: WaymarkClient, _ watch: CLILive, _ input: LineSource, _ radius: Double?
    ) async throws {
        var random = SplitMix64(seed: 7)
        func place() throws -> Coordinate {
            try Coordinate(
                latitude: .random(in: -0.5...0.5, using: &random), longitude: .random(in: -0.5...0.5, using: &random))
        }
        var here = try Coordinate(latitude: 0, longitude: 0)
        var ids: [Landmark.ID] = []
        for round in 0..<40 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...3: ids.append(try await client.add(LandmarkDraft(name: "\(round)", coordinate: place())).id)
                case 4, 5:
                    guard let id = ids.randomElement(using: &random) else { continue }
                    _ = try await client.edit(id, LandmarkEdit(coordinate: place()))
                case 6:
                    guard let id = ids.randomElement(using: &random) else { continue }
                    _ = try await client.edit(id, LandmarkEdit(name: "renamed \(round)"))
                default:
                    guard ids.count > 3 else { continue }
                    _ = try await client.remove(ids.remove(at: .random(in: 0..<ids.count, using: &random)))
                }
            }
            if round % 3 == 2 {
                here = try place()
                input.put(Figures.position(here))
            }
            try await agree(watch, client, here, radius)
        }
        input.put("0,0")
        try await agree(watch, client, try Coordinate(latitude: 0, longitude: 0), radius)
    }

    /// Waits until the events produce the list that `near` answers now.
    private static func agree(
        _ watch: CLILive, _ client: WaymarkClient, _ here: Coordinate, _ radius: Double?
    ) async throws {
        let page = try await client.near(here, limit: limit, radius: radius)
        let expected = page.hits.map { WatchedRow(id: $0.landmark.id.description, name: $0.landmark.name) }
        try await watch.out.wait { (try? WatchedRow.list($0)) == expected }
    }

    @Test("ranks and distances of entered, moved, changed and left landmarks")
    func events() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                func add(_ name: String, _ longitude: Double) async throws -> Landmark.ID {
                    let here = try Coordinate(latitude: 0, longitude: longitude)
                    return try await client.add(LandmarkDraft(name: name, coordinate: here, kind: "x")).id
                }
                let first = try await add("first", 1)
                let input = LineSource()
                let watch = pair.live(
                    "watch", "--near", "0,0", "--limit", "2", "-o", "json", "--kind", "X", "--follow-position",
                    input: input)
                func next() async throws -> ProcessJSON { try ProcessJSON(try await watch.out.next()) }
                let entered = try await next()
                #expect(entered.keys == ["type", "rev", "id", "rank", "distance_m", "bearing_deg", "landmark"])
                #expect(entered["type"] == "entered" && entered.number("rank") == 1 && entered.number("rev") == 1)
                _ = try await add("far", 3)
                #expect(try await next().object("landmark")?["name"] == "far")
                _ = try await add("near", 2)
                let (left, came) = (try await next(), try await next())
                #expect(left["type"] == "left" && left.number("rank") == 2 && left.number("rev") == 3)
                #expect(came["type"] == "entered" && came.number("rank") == 2)
                _ = try await client.edit(first, LandmarkEdit(name: "renamed"))
                let changed = try await next()
                #expect(changed["type"] == "changed" && changed.object("landmark")?["name"] == "renamed")
                input.put("north")
                input.put(" 0, 3 ")
                // At 3 the far landmark is nearest again, and the first one drops out.
                let moved = [try await next(), try await next(), try await next()]
                #expect(moved.map { $0["type"] } == ["left", "entered", "moved"])
                #expect(moved[1].number("distance_m") == 0 && moved[1].number("rank") == 1)
                #expect(moved[2].keys == ["type", "rev", "id", "from", "to", "distance_m", "bearing_deg"])
                #expect(moved[2].number("from") == 2 && moved[2].number("to") == 2)
                _ = try await client.edit(first, LandmarkEdit(attributes: .init(kind: "y")))
                _ = try await client.remove(first)
                await watch.stop()
                #expect(try Self.notices(watch) == ["bad_position"], "one line, and it goes on")
            }
        }
    }

    @Test("it survives restarts of both services")
    func restarts() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await CLITailTests.add(1, client)
                let watch = pair.live("watch", "--near", "0,0", "-o", "json", "-q")
                _ = try await watch.out.next()
                try await pair.query.slain()
                try await pair.storage.slain()
                try await pair.startStorage()
                try await pair.startQuery()
                try await CLITailTests.add(1, client)
                let entered = try ProcessJSON(try await watch.out.next())
                #expect(entered["type"] == "entered" && entered.number("rev") == 2)
                await watch.stop()
                #expect(watch.err.all.isEmpty)
            }
        }
    }
}

/// A row of a list that is reconstructed from events.
struct WatchedRow: Hashable {
    var id: String
    var name: String

    /// - Parameter text: lines of JSON.
    static func list(_ text: String) throws -> [WatchedRow] {
        var names: [String: String] = [:]
        var ranks: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            let event = try ProcessJSON(String(line))
            let id = event["id"] ?? ""
            switch event["type"] {
            case "entered": (names[id], ranks[id]) = (event.object("landmark")?["name"], event.number("rank"))
            case "changed": names[id] = event.object("landmark")?["name"]
            case "moved": ranks[id] = event.number("to")
            case "left": (names[id], ranks[id]) = (nil, nil)
            default: throw Overdue(description: "no event: \(line)")
            }
        }
        let rows = ranks.sorted { $0.value < $1.value }
        guard rows.map(\.value) == (0..<rows.count).map({ Double($0 + 1) }) else {
            throw Overdue(description: "these are no ranks: \(rows)")
        }
        return rows.map { WatchedRow(id: $0.key, name: names[$0.key] ?? "") }
    }
}
