// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkJSON

@testable import WaymarkCLI

@Suite("track", .inShortTurn)
struct CLITrackTests {
    private static func line(_ second: Int) -> String {
        let time = Timestamp.rfc3339(1_772_357_400_000 + UInt64(second) * 1_000)
        return #"{"class":"TPV","mode":3,"time":"\#(time)","lat":-33.8,"lon":\#(151 + Double(second) / 1_024)}"#
    }

    private static func wait(
        for count: Int, _ id: Landmark.ID, _ client: WaymarkClient
    ) async throws -> [TrackPoint] {
        var points: [TrackPoint] = []
        try await until("\(count) points have come, after \(points.count)", within: .seconds(120)) {
            points = (try? await client.tracks.page(of: id))?.points ?? []
            return points.count >= count
        }
        return points
    }

    @Test("a landmark of the user moves, across kills of both services, and its track is printed in every form")
    func follows() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                let input = LineSource()
                let track = pair.live("track", "boat", "--follow-position", "-o", "json", input: input)
                for second in 0..<5 { input.put(Self.line(second)) }
                let first = try ProcessJSON(try await track.out.next())
                let id = try #require(UUIDv7(first["id"] ?? ""))
                _ = try await Self.wait(for: 5, id, client)
                try await pair.storage.slain()
                try await pair.query.slain()
                for second in 5..<10 { input.put(Self.line(second)) }
                input.put("no position")
                try await track.err.wait { $0.contains("waiting") }
                try await pair.startStorage()
                try await pair.startQuery()
                let points = try await Self.wait(for: 10, id, client)
                #expect(points.map(\.at) == (0..<10).map { 1_772_357_400_000 + UInt64($0) * 1_000 })
                #expect(points.map(\.coordinate.longitude) == (0..<10).map { 151 + Double($0) / 1_024 })
                input.end()
                try await track.err.wait { $0.contains("then stdin ended") }
                await track.stop()
                #expect(track.err.all.contains("bad_position"))

                // It goes on with the same landmark.
                let later = LineSource()
                let again = pair.live("track", "boat", "--follow-position", "--quiet", input: later)
                later.put(Self.line(10))
                _ = try await Self.wait(for: 11, id, client)
                later.end()
                try await again.err.wait { $0.contains("then stdin ended") }
                await again.stop()
                #expect(again.out.all.isEmpty)
                let landmark = try await client.show(id).landmark
                #expect(landmark.kind == "person" && landmark.user == "ann")

                try await Self.printed(pair, id)
            }
        }
    }

    private static func printed(_ pair: ProcessPair, _ id: Landmark.ID) async throws {
        func shown(_ form: String, _ more: String...) async throws -> String {
            let out = MemorySink()
            let surroundings = Surroundings(environment: pair.variables, out: out, err: MemorySink())
            #expect(await WaymarkTool.run(["track", "show", "boat", "-o", form] + more, in: surroundings) == 0)
            return out.text
        }
        let lines = try await shown("json").split(separator: "\n").map { try ProcessJSON(String($0)) }
        #expect(lines.count == 11 && lines.allSatisfy { $0.keys == ["rev", "at", "lat", "lng"] })
        #expect(lines[3]["at"] == "2026-03-01T09:30:03.000Z")
        #expect(try await shown("json", "--since", "2026-03-01T09:30:08Z").split(separator: "\n").count == 3)
        let err = MemorySink()
        let revision = await WaymarkTool.run(
            ["track", "show", "boat", "--since", "5"],
            in: Surroundings(environment: pair.variables, out: MemorySink(), err: err))
        #expect(revision != 0 && err.text.contains("give --since a time"))
        let text = try await shown("text")
        #expect(text.contains("boat: 11 points, ") && text.contains("in all"))
        let geojson = try ProcessJSON(try await shown("geojson"))
        #expect(geojson.object("geometry")?["type"] == "LineString")
        let gpx = try await shown("gpx")
        #expect(gpx.hasPrefix("<?xml") && gpx.components(separatedBy: "<trkpt ").count == 12)
        #expect(gpx.contains("<name>boat</name>"))
    }

    @Test("a name that nobody or several have is refused with what to do")
    func unclear() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client(user: "ben")) { client in
                func show(_ name: String) async -> (Int32, String) {
                    let err = MemorySink()
                    let surroundings = Surroundings(environment: pair.variables, out: MemorySink(), err: err)
                    return (await WaymarkTool.run(["track", "show", name], in: surroundings), err.text)
                }
                let place = try Coordinate(latitude: 1, longitude: 2)
                let none = await show("boat")
                #expect(none.0 == 1 && none.1.contains("No landmark is called \"boat\""))
                let one = try await client.add(LandmarkDraft(name: "boat", coordinate: place))
                #expect(await show("boat").0 == 0)
                #expect(await show(one.id.description).0 == 0)
                #expect(await show(String(one.id.description.prefix(18))).0 == 0)
                let two = try await client.add(LandmarkDraft(name: "boat", coordinate: place))
                let several = await show("boat")
                #expect(several.0 == 1 && several.1.contains(one.id.description) && several.1.contains("by ben"))
                #expect(several.1.contains(two.id.description))
                // With positions that nobody takes any more.
                let err = MemorySink()
                var surroundings = Surroundings(environment: pair.variables, out: MemorySink(), err: err)
                surroundings.readLine = stdinLines((0..<9).map { Self.line($0) })
                #expect(
                    await WaymarkTool.run(["track", "boat", "--follow-position", "--as", "ben"], in: surroundings) == 1)
                #expect(err.text.contains("Several landmarks are called"))
                #expect(await tool("track", "boat").status == 2)
            }
        }
    }
}
