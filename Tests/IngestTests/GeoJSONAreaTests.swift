// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks
import TestTurns
import Testing

@Suite("Areas from GeoJSON", .inShortTurn)
struct GeoJSONAreaTests {
    private static let ring = "[[0,0],[10,0],[10,10.5,7],[0,0]]"

    @Test(
        "a polygon by itself, in a feature, as the only feature, and one with parts",
        arguments: [
            "{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}",
            "{\"type\":\"Feature\",\"properties\":null,\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}}",
            """
            {"type":"FeatureCollection","features":[{"type":"Feature","geometry":
            {"type":"MultiPolygon","coordinates":[[\(ring)]]}}]}
            """,
        ])
    func read(text: String) throws {
        let corners = [(0.0, 0.0), (10, 0), (10, 10.5)].map { AreaPolygon.Corner(longitude: $0.0, latitude: $0.1) }
        #expect(try GeoJSONArea.polygon(Array(text.utf8)) == AreaPolygon(rings: [corners]))
    }

    @Test(
        "what is no area is refused in one sentence",
        arguments: [
            "", "{", "[]", "{\"type\":\"Point\",\"coordinates\":[1,2]}", "{\"type\":\"Polygon\"}",
            "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1]]]}",
            "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,\"1\"],[0,1]]]}",
            "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1e999,1],[0,1]]]}",
            "{\"type\":\"FeatureCollection\",\"features\":[]}",
            "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[100,0],[0,95]]]}",
        ])
    func refused(text: String) {
        let error = #expect(throws: InvalidInput.self) { try GeoJSONArea.polygon(Array(text.utf8)) }
        #expect(error?.description.hasSuffix(".") == true && error?.description.contains("\n") == false)
    }

    @Test("a body that is something else is named")
    func named() {
        for (body, sentence) in [
            (Array("<!doctype html><html>".utf8), "an HTML page: check the address, and whether it needs a login."),
            ([0x1f, 0x8b, 8, 0], "a gzip file within a gzip file: unpack it once."),
            (Array("%PDF-1.7".utf8), "a PDF document: ask the source for a table or JSON."),
        ] as [([UInt8], String)] {
            let error = #expect(throws: InvalidInput.self) { try GeoJSONArea.polygon(body) }
            #expect(error?.description == "The area is not GeoJSON: The body is \(sentence)")
        }
    }
}
