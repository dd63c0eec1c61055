// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSON
import Landmarks
import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct FieldMappingTests {
    @Test
    func readsAnyListOfObjects() throws {
        let mapping = try FieldMapping(
            rows: "data.items", name: "title", lat: "at.0", lng: "at.1", key: "ref",
            attributes: [.kind: "tags.0", .link: "web", .rating: "stars"])
        let rows = try SourceFormat.mapping(mapping).rows(
            in: """
                {"data": {"items": [
                    {"title": "A", "at": ["-1.5", "2.5"], "ref": 7, "tags": ["surf", "sand"], "web": "https://a.example",
                     "stars": 4},
                    {"title": "B", "at": [3, 4], "ref": null}
                ]}}
                """)
        #expect(rows.format.hasPrefix("mapping (rows data.items, name title, lat at.0, lng at.1"))
        #expect(rows.keys == ["7", "name:B"])
        let draft = try #require(rows.rows.first?.draft)
        #expect(draft.coordinate == (try Coordinate(latitude: -1.5, longitude: 2.5)))
        #expect((draft.kind, draft.link) == ("surf", "https://a.example"))
        #expect(draft.rating == 4)
    }

    @Test
    func anAttributeMayBeOneValueForAll() throws {
        let mapping = try FieldMapping(
            name: "n", lat: "a", lng: "o", attributes: [.kind: "=beach", .rating: "=3.5", .link: ""])
        let rows = try SourceFormat.mapping(mapping).rows(in: #"[{"n": "A", "a": 1, "o": 2, "beach": "x"}]"#)
        #expect(rows.rows.first?.draft.attributes == Attributes(kind: "beach", rating: 3.5))
        #expect(rows.format == "mapping (name n, lat a, lng o, kind =beach, rating =3.5)")
    }

    @Test
    func readsWellKnownText() throws {
        let mapping = try FieldMapping(name: "n", wkt: "p")
        let rows = try SourceFormat.mapping(mapping).rows(
            in: """
                [{"n": "A", "p": "Point(39.69 47.26)"}, {"n": "B", "p": "LINESTRING(1 2, 3 4)"}, {"n": "C"},
                 {"n": "D", "p": 1}]
                """)
        #expect(rows.rows.first?.draft.coordinate == (try Coordinate(latitude: 47.26, longitude: 39.69)))
        #expect(
            rows.reasons == [
                "The position is neither a WKT point of WGS 84 nor LAT,LNG: LINESTRING(1 2, 3 4).",
                "The row has no coordinates.",
                "The position is neither a WKT point of WGS 84 nor LAT,LNG: 1.",
            ])
    }

    @Test(arguments: [
        ("POINT (151.2 -33.8)", "-33.8"), ("Point Z (151.2 -33.8 12)", "-33.8"), ("point(151.2\t-33.8) ", "-33.8"),
    ])
    func readsEverySpellingOfAPoint(text: String, latitude: String) {
        #expect(WellKnownText.point(text)?.latitude == latitude)
        #expect(WellKnownText.point(text)?.longitude == "151.2")
    }

    @Test(arguments: ["", "Point", "Point()", "Point(1)", "Point(1 2", "MultiPoint(1 2)", "Point EMPTY", "(1 2)"])
    func readsNoPointWhereNoneIs(text: String) {
        #expect(WellKnownText.point(text) == nil)
    }

    @Test
    func aRowWithoutANameIsRejected() throws {
        let mapping = try FieldMapping(name: "n", lat: "a", lng: "o")
        let rows = try SourceFormat.mapping(mapping).rows(in: #"[{"a": 1, "o": 2}, {"n": {}, "a": 1, "o": 2}]"#)
        #expect(
            rows.refusals == [
                "[0]: The row has no name: n is missing or empty.",
                "[1]: The row has no name: n is missing or empty.",
            ])
    }

    @Test
    func saysWhereTheListShouldBe() throws {
        let mapping = try FieldMapping(rows: "a.b", name: "n", lat: "a", lng: "o")
        #expect(
            SourceFormat.mapping(mapping).problem(with: #"{"a": {"b": 1}}"#)?.description
                == "There is no list of rows at a.b: the body is an object with the members a.")
    }

    @Test(arguments: [
        ("items", "[]", "There is no list of rows at items: the body itself is the list, so leave the path out."),
        (
            "", #"{"data": {"items": []}, "tags": []}"#,
            "The body is no list of rows, but an object with the members data, tags: lists are at data.items, tags."
        ),
        ("itms", #"{"items": []}"#, "There is no list of rows at itms: lists are at items."),
        ("x", "7", "There is no list of rows at x: the body is a number."),
    ])
    func saysWhereTheListIs(rows: String, body: String, sentence: String) throws {
        let mapping = try FieldMapping(rows: rows, name: "n", lat: "a", lng: "o")
        #expect(SourceFormat.mapping(mapping).problem(with: body)?.description == sentence)
    }

    @Test
    func aNameMayHoldDots() throws {
        let root = JSONValue.object([
            JSONMember(name: "a.b", value: .number("1")), JSONMember(name: "c", value: .array([.number("2")])),
        ])
        #expect(FieldPath("a.b").value(in: root) == .number("1"))
        #expect(FieldPath("c.0").value(in: root) == .number("2"))
        #expect(FieldPath("c.1").value(in: root) == nil)
        #expect(FieldPath("c.-1").value(in: root) == nil)
        #expect(FieldPath("a").value(in: root) == nil)
        #expect(FieldPath("").value(in: root) == root)
    }

    @Test
    func needsANameAndOnePosition() {
        #expect(throws: FieldMappingError.missing("name")) { try FieldMapping(name: nil, lat: "a", lng: "b") }
        #expect(throws: FieldMappingError.missing("lat")) { try FieldMapping(name: "n", lng: "b") }
        #expect(throws: FieldMappingError.missing("lng")) { try FieldMapping(name: "n", lat: "a", lng: "") }
        #expect(throws: FieldMappingError.twoPositions) { try FieldMapping(name: "n", lat: "a", lng: "b", wkt: "c") }
        #expect(FieldMappingError.missing("lat").description == "The format mapping needs the field lat.")
        #expect(
            FieldMappingError.twoPositions.description
                == "The format mapping takes either wkt or lat and lng, not both.")
        #expect(SourceFormat(name: "mapping") == nil)
        #expect(SourceFormat(name: "osm") == nil)
        for name in SourceFormat.names where name != "mapping" { #expect(SourceFormat(name: name)?.name == name) }
    }
}
