// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import TestWeb
import Testing

@testable import Web
@testable import WaymarkJSON

@Suite(.inTurn)
struct TrackRouteTests {
    private static let headers = ["content-type": "application/json", "waymark-user": "ann"]

    @Test
    func aLandmarkIsMovedAndItsTrackRead() async throws {
        try await withStage { stage, _ in
            let added = try await stage.ask(
                "POST", "/v1/landmarks", headers: Self.headers, body: #"{"name":"Boat","lat":-33.8,"lng":151.2}"#)
            let path = "/v1/landmarks/\(try #require(added.json["id"] as? String))/track"
            #expect(try await stage.ask("GET", path).json["track"] as? [String] == [])
            for second in 1...3 {
                let moved = try await stage.ask(
                    "POST", path, headers: Self.headers,
                    body: #"{"lat":-33.8\#(second),"lng":151.2,"at":"2026-03-01T09:30:0\#(second)Z"}"#)
                #expect(moved.status == 201 && moved.json["rev"] as? Int == second + 1)
            }
            let first = try await stage.ask("GET", path + "?limit=2")
            let points = try #require(first.json["track"] as? [[String: Any]])
            #expect(points.map { $0["rev"] as? Int } == [2, 3] && first.json["next"] as? Int == 1_772_357_402_000)
            #expect(points[0]["at"] as? String == "2026-03-01T09:30:01.000Z" && points[0]["lat"] as? Double == -33.81)
            let rest = try await stage.ask("GET", path + "?limit=2&after=1772357402000")
            #expect((rest.json["track"] as? [[String: Any]])?.map { $0["rev"] as? Int } == [4])
            let late = try await stage.ask("GET", path + "?since=2026-03-01T09:30:03Z")
            #expect((late.json["track"] as? [Any])?.count == 1)
            let line = try await stage.ask("GET", path + "?format=geojson")
            let geometry = try #require(line.json["geometry"] as? [String: Any])
            #expect(geometry["type"] as? String == "LineString")
            #expect(
                (line.json["properties"] as? [String: Any])?["coordTimes"] as? [String] == [
                    "2026-03-01T09:30:01.000Z", "2026-03-01T09:30:02.000Z", "2026-03-01T09:30:03.000Z",
                ])
            for wrong in [#"{"lat":1}"#, #"{"lat":1,"lng":2,"at":"noon"}"#, #"{"lat":1,"lng":2,"speed":3}"#, "{}"] {
                #expect(try await stage.ask("POST", path, headers: Self.headers, body: wrong).status == 422)
            }
            #expect(try await stage.ask("GET", path + "?since=noon").status == 422)
            let unknown = "/v1/landmarks/01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5/track"
            #expect(try await stage.ask("GET", unknown).status == 404)
            #expect(
                try await stage.ask("POST", unknown, headers: Self.headers, body: #"{"lat":1,"lng":2}"#).status == 404)
        }
    }

    private func points(_ places: (Double, Double)...) throws -> [TrackPoint] {
        try places.enumerated().map { index, place in
            TrackPoint(
                rev: UInt64(index + 1), at: UInt64(index) * 1_000,
                coordinate: try Coordinate(latitude: place.0, longitude: place.1))
        }
    }

    @Test
    func aLineIsCutAtThe180thMeridian() throws {
        let cut = TrackLine.cut(try points((10, 170), (20, 175), (30, -175), (30, -170), (40, 170)))
        #expect(
            cut.map { $0.map(\.coordinate.longitude) } == [[170, 175, 180], [-180, -175, -170, -180], [180, 170]])
        #expect(cut.map { $0.map(\.coordinate.latitude) } == [[10, 20, 25], [25, 30, 30, 35], [35, 40]])
        #expect(cut.map { $0.map(\.at) } == [[0, 1_000, 1_000], [1_000, 2_000, 3_000, 3_000], [3_000, 4_000]])
        #expect(TrackLine.cut([]).isEmpty)
        #expect(TrackLine.cut(try points((1, 180), (1, -180))).count == 2)
        #expect(TrackLine.cut(try points((1, 0), (1, 180))).count == 1)
    }

    @Test
    func gpxIsWellFormed() throws {
        let landmark = Landmark(
            id: UUIDv7(high: 1, low: 1), name: "a<b>&\u{1}\u{FFFF}\"c\"",
            coordinate: try Coordinate(latitude: 1, longitude: 2),
            attributes: Attributes(), created: 0)
        let text = String(
            decoding: GPX.document(try points((-33.85, 151.21), (0.00005, -0.00002)), of: landmark), as: UTF8.self)
        #expect(text.contains("<name>a&lt;b&gt;&amp;  \"c\"</name>"))
        #expect(text.contains(#"<trkpt lat="-33.85" lon="151.21"><time>1970-01-01T00:00:00.000Z</time></trkpt>"#))
        #expect(text.contains(#"<trkpt lat="0.000050000" lon="-0.000020000">"#))
    }
}
