// SPDX-License-Identifier: Apache-2.0

import Foundation
import Gazetteer
import Geodesy
import Landmarks
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web
@testable import waymark_gazetteer

@Suite(.inTurn)
struct PlaceRouteTests {
    @Test
    func anotherGazetteerIsAsked() async throws {
        var builder = GazetteerBuilder()
        builder.addCountry(code: "FJ", iso3: "FJI", name: "Fiji")
        builder.add(
            .init(
                name: "Atlantis", alternates: [], latitude: -16.8, longitude: 179.9, country: "FJ", region: "",
                population: 700, zone: "Pacific/Fiji"))
        let file = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString).bin")
        try Data(try builder.build()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withStage {
            $0.gazetteer = file.path
        } _: { stage, _ in
            let found = try await stage.ask("GET", "/v1/geocode?q=atlantis&landmarks=false")
            #expect((found.json["places"] as? [[String: Any]])?.first?["label"] as? String == "Atlantis, Fiji")
            let sydney = try await stage.ask("GET", "/v1/geocode?q=sydney&landmarks=false")
            #expect((sydney.json["places"] as? [Any])?.isEmpty == true)
            #expect(try await stage.ask("GET", "/v1/where?at=-16.8,179.9").text.contains("Atlantis"))
            let towns = try await stage.ask("GET", "/v1/towns/1/1/1")
            let town = try #require((towns.json["towns"] as? [[String: Any]])?.first)
            #expect(town["name"] as? String == "Atlantis" && town["size"] as? Int == 2)
            #expect(town["lat"] as? Double == -16.8 && town["lng"] as? Double == 179.9)
            #expect(towns.headers["cache-control"] == "private, max-age=86400")
            let tag = try #require(towns.headers["etag"])
            #expect(try await stage.ask("GET", "/v1/towns/1/1/1", headers: ["if-none-match": tag]).status == 304)
            let none = try await stage.ask("GET", "/v1/towns/1/0/1")
            #expect((none.json["towns"] as? [Any])?.isEmpty == true)
            for path in ["1/2/0", "21/0/0", "x/0/0"] {
                #expect(try await stage.ask("GET", "/v1/towns/\(path)").status == 422)
            }
        }
    }

    @Test
    func aNameAndAPositionAreFound() async throws {
        try await withStage { stage, client in
            _ = try await client.add(
                try LandmarkDraft(
                    name: "Patiala House", coordinate: Coordinate(latitude: 28.62, longitude: 77.24), kind: ""))
            // The text search follows the writes a moment later.
            var landmark: String?
            var answer = try await stage.ask("GET", "/v1/geocode?q=patiala")
            while landmark == nil {
                landmark = (answer.json["landmarks"] as? [[String: Any]])?.first?["name"] as? String
                answer = try await stage.ask("GET", "/v1/geocode?q=patiala")
            }
            #expect(landmark == "Patiala House")
            let places = answer.json["places"] as? [[String: Any]]
            #expect(places?.first?["label"] as? String == "Patiāla, Punjab, India")
            #expect((answer.json["attribution"] as? String)?.contains("GeoNames") == true)

            let towns = try await stage.ask("GET", "/v1/geocode?q=melbourne&lat=28.1&lng=-80.6&limit=1&landmarks=false")
            #expect(towns.json["landmarks"] is [Any] == false)
            let first = towns.json["places"] as? [[String: Any]]
            #expect(first?.compactMap { $0["region"] as? String } == ["Florida"])
            let nothing = try await stage.ask("GET", "/v1/geocode?q=qzqzqzqz")
            #expect(nothing.status == 200)
            #expect((nothing.json["places"] as? [Any])?.isEmpty == true)

            let here = try await stage.ask("GET", "/v1/where?at=-33.8568,151.2153")
            #expect((here.json["text"] as? String)?.hasSuffix("of Sydney, New South Wales, Australia") == true)
            #expect(here.json["zone"] as? String == "Australia/Sydney")
            let ocean = try await stage.ask("GET", "/v1/where?at=-48.9,-123.4")
            #expect(ocean.status == 200 && ocean.json["text"] is String == false)
        }
    }

    @Test("while storage is away, landmarks that only storage can find are unknown, and not absent")
    func away() async throws {
        try await withStage {
            // The service asks storage again until then.
            $0.timeout = .seconds(3)
        } _: { stage, client in
            let known = try await client.add(
                try LandmarkDraft(name: "A", coordinate: Coordinate(latitude: 1, longitude: 2), kind: ""))
            await stage.stopStorage()
            try await until("the service answers in storage's place") {
                try await stage.ask("GET", "/v1/landmarks/\(known.id)").status == 200
            }
            let unknown = try await stage.ask("GET", "/v1/landmarks/\(UUIDv7.new())")
            #expect(unknown.status == 503 && unknown.json["code"] as? String == "unavailable", "\(unknown.text)")
            let found = try await stage.ask("GET", "/v1/geocode?q=sydney")
            #expect(found.status == 200 && found.json["landmarks"] is NSNull, "\(found.text)")
        }
    }
}
