// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import Web

@Suite("Vector tiles", .inTurn)
struct VectorTileTests {
    /// A reader of vector tiles that shares no code with the program, written after the specification 2.1.
    private struct Layer {
        struct Feature {
            var properties: [String: String] = [:]
            var type = 0
            var geometry: [Int] = []
        }

        var name = ""
        var extent = 0
        var version = 0
        var features: [Feature] = []

        static func layers(_ tile: [UInt8]) -> [Layer] {
            fields(tile).filter { $0.number == 3 }.map { Layer($0.bytes) }
        }

        init(_ bytes: [UInt8]) {
            let all = Self.fields(bytes)
            func texts(_ number: Int) -> [String] {
                all.filter { $0.number == number }.map { String(decoding: $0.bytes, as: UTF8.self) }
            }
            name = texts(1).first ?? ""
            extent = all.last { $0.number == 5 }?.value ?? 0
            version = all.last { $0.number == 15 }?.value ?? 0
            let keys = texts(3)
            let values = all.filter { $0.number == 4 }.flatMap { Self.fields($0.bytes) }.map {
                $0.number == 1 ? String(decoding: $0.bytes, as: UTF8.self) : "\($0.value)"
            }
            for each in all where each.number == 2 {
                var feature = Feature()
                for field in Self.fields(each.bytes) {
                    switch field.number {
                    case 2:
                        let tags = Self.numbers(field.bytes)
                        for place in stride(from: 0, to: tags.count - 1, by: 2) {
                            feature.properties[keys[tags[place]]] = values[tags[place + 1]]
                        }
                    case 3: feature.type = field.value
                    case 4: feature.geometry = Self.numbers(field.bytes)
                    default: Issue.record("field \(field.number)")
                    }
                }
                features.append(feature)
            }
        }

        private static func fields(_ bytes: [UInt8]) -> [(number: Int, value: Int, bytes: [UInt8])] {
            var (place, found) = (0, [(number: Int, value: Int, bytes: [UInt8])]())
            while place < bytes.count {
                let (tag, value) = (number(bytes, &place), number(bytes, &place))
                guard tag & 7 == 2 else {
                    found.append((tag >> 3, value, []))
                    continue
                }
                found.append((tag >> 3, 0, Array(bytes[place..<place + value])))
                place += value
            }
            return found
        }

        private static func numbers(_ bytes: [UInt8]) -> [Int] {
            var (place, found) = (0, [Int]())
            while place < bytes.count { found.append(number(bytes, &place)) }
            return found
        }

        private static func number(_ bytes: [UInt8], _ place: inout Int) -> Int {
            var (number, shift) = (0, 0)
            repeat {
                number |= Int(bytes[place] & 0x7f) << shift
                shift += 7
                place += 1
            } while bytes[place - 1] & 0x80 != 0
            return number
        }
    }

    @Test("a tile has its landmarks with their names, and its full cells with their counts")
    func contents() async throws {
        try await withStage { stage, client in
            let house = try await client.add(
                LandmarkDraft(
                    name: "Opera \u{1f3b5}", coordinate: Coordinate(latitude: -33.8568, longitude: 151.2153),
                    kind: "theatre"))
            _ = try await client.add(
                LandmarkDraft(name: "No kind", coordinate: Coordinate(latitude: 60, longitude: -120)))
            // Too many for one cell to list them.
            for number in 0..<6 {
                let place = try Coordinate(latitude: 10 + Double(number) / 1e5, longitude: 20)
                _ = try await client.add(LandmarkDraft(name: "Of many \(number)", coordinate: place, kind: "shop"))
            }
            _ = try await client.list(.byName, limit: 1)
            let answer = try await stage.tile("/v1/tiles/0/0/0.mvt")
            #expect(answer.headers["content-type"] == "application/vnd.mapbox-vector-tile")
            let layers = Layer.layers(answer.bytes)
            let layer = try #require(layers.first)
            #expect(layers.count == 1 && layer.name == "landmarks" && layer.extent == 4_096 && layer.version == 2)
            let features = layer.features.sorted { $0.properties["name"] ?? "" < $1.properties["name"] ?? "" }
            #expect(features.allSatisfy { $0.type == 1 && $0.geometry.count == 3 && $0.geometry.first == 9 })
            #expect(features.map { $0.properties["name"] } == [nil, "No kind", "Opera \u{1f3b5}"])
            #expect(features.map { $0.properties["count"] } == ["6", "1", "1"])
            #expect(features.map { $0.properties["kind"] } == [nil, nil, "theatre"])
            #expect(features.last?.properties["id"] == "\(house.id)")
            // 151.2153 of -180…180 degrees, and the row of the sphere's Mercator map, doubled by zigzag.
            #expect(features.last?.geometry == [9, 2 * 3_768, 2 * 2_457])
            // Zoomed in, the same place is elsewhere on its tile.
            let near = Layer.layers(try await stage.tile("/v1/tiles/10/942/614.mvt").bytes).first?.features ?? []
            #expect(near.map { $0.properties["name"] } == ["Opera \u{1f3b5}"])
            #expect(near.first?.geometry == [9, 2 * 505, 2 * 1_856])
        }
    }

    @Test("a filter narrows it, a new name makes another tag, and a tile of the sea is empty")
    func filters() async throws {
        try await withStage { stage, client in
            let place = try Coordinate(latitude: 1, longitude: 2)
            let cafe = try await client.add(LandmarkDraft(name: "Old", coordinate: place, kind: "cafe"))
            _ = try await client.add(LandmarkDraft(name: "Pub", coordinate: place, kind: "pub"))
            _ = try await client.list(.byName, limit: 1)
            let path = "/v1/tiles/3/4/3.mvt?kind=cafe"
            let first = try await stage.tile(path)
            func names(_ answer: PlainHTTP.Answer) -> [String?] {
                Layer.layers(answer.bytes).flatMap(\.features).map { $0.properties["name"] }
            }
            #expect(names(first) == ["Old"])
            let area = try await stage.tile("/v1/tiles/3/4/3.mvt?within=0,0,5,5")
            #expect(Set(names(area)) == ["Old", "Pub"])
            let known = ["if-none-match": try #require(first.headers["etag"])]
            #expect(try await stage.ask("GET", path, headers: known).status == 304)
            let headers = ["content-type": "application/json", "waymark-user": "armando"]
            let renamed = try await stage.ask(
                "PATCH", "/v1/landmarks/\(cafe.id)", headers: headers, body: #"{"name":"New"}"#)
            #expect(renamed.status == 200, "\(renamed.text)")
            #expect(names(try await stage.ask("GET", path, headers: known)) == ["New"])
            let sea = try await stage.tile("/v1/tiles/3/0/0.mvt")
            #expect(sea.status == 200 && sea.bytes.isEmpty)
            for wrong in ["3/8/0.mvt", "21/0/0.mvt", "3/0/.mvt", "3/0/x.mvt"] {
                #expect(try await stage.ask("GET", "/v1/tiles/\(wrong)").status == 422, "\(wrong)")
            }
        }
    }

    @Test("TileJSON names the tiles by the host of the request")
    func tileJSON() async throws {
        try await withStage { stage, _ in
            let answer = try await stage.ask("GET", "/v1/tiles.json", headers: ["host": "localhost:1234"])
            #expect(answer.json["tiles"] as? [String] == ["http://localhost:1234/v1/tiles/{z}/{x}/{y}.mvt"])
            #expect(answer.json["tilejson"] as? String == "3.0.0" && answer.json["maxzoom"] as? Int == 20)
            let layers = try #require(answer.json["vector_layers"] as? [[String: Any]])
            #expect(layers.map { $0["id"] as? String } == ["landmarks"])
            let strange = try await stage.ask("GET", "/v1/tiles.json", headers: ["host": "localhost:\"><"])
            #expect(strange.status == 400)
        }
    }
}

extension WebStage {
    /// Returns a tile. The order of the tiles is made at the first question.
    fileprivate func tile(_ path: String) async throws -> PlainHTTP.Answer {
        var answer = try await ask("GET", path)
        for _ in 0..<3_000 where answer.status == 503 {
            try await Task.sleep(for: .milliseconds(20))
            answer = try await ask("GET", path)
        }
        return answer
    }
}
