// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Ingest
import Landmarks
import TestTurns
import Testing

@Suite(.inShortTurn)
struct GeoJSONFormatTests {
    private func rows(_ features: String...) throws -> SourceRows {
        try SourceFormat.geojson.rows(
            in: #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#)
    }

    private func point(_ coordinates: String, _ properties: String = #"{"name": "A"}"#, id: String = "null") -> String {
        """
        {"type": "Feature", "id": \(id), "properties": \(properties),
         "geometry": {"type": "Point", "coordinates": \(coordinates)}}
        """
    }

    @Test
    func longitudeComesFirst() throws {
        let rows = try rows(point("[151.2, -33.8]"))
        #expect(rows.rows.first?.draft.coordinate == (try Coordinate(latitude: -33.8, longitude: 151.2)))
    }

    @Test
    func ignoresTheAltitude() throws {
        let rows = try rows(point("[151.2, -33.8, 58.5]"))
        #expect(rows.rows.first?.draft.coordinate == (try Coordinate(latitude: -33.8, longitude: 151.2)))
        #expect(rows.rejected.isEmpty)
    }

    @Test
    func readsOneFeature() throws {
        #expect(try SourceFormat.geojson.rows(in: point("[1, 2]")).names == ["A"])
    }

    @Test(arguments: [
        (#"{"type": "Feature", "properties": {"name": "A"}, "geometry": null}"#, "The row has no geometry."),
        (#"{"type": "Feature", "properties": {"name": "A"}}"#, "The row has no geometry."),
        (
            #"{"properties": {"name": "A"}, "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}}"#,
            "The geometry is a LineString, not a Point."
        ),
        (
            #"{"properties": {"name": "A"}, "geometry": {"type": "GeometryCollection", "geometries": []}}"#,
            "The geometry is a GeometryCollection, not a Point."
        ),
        (#"{"properties": {"name": "A"}, "geometry": {"coordinates": [1, 2]}}"#, "The geometry has no type."),
        (
            #"{"properties": {"name": "A"}, "geometry": {"type": "Point", "coordinates": [1]}}"#,
            "The row has no coordinates."
        ),
        (
            #"{"properties": {"id": 7}, "geometry": {"type": "Point", "coordinates": []}}"#,
            "The row has no coordinates."
        ),
        (#"{"properties": {"name": "A"}, "geometry": {"type": "Point"}}"#, "The row has no coordinates."),
        (
            #"{"properties": {"name": "A"}, "geometry": {"type": "Point", "coordinates": [1, 91]}}"#,
            "The latitude 91.0 is not within -90 and 90 degrees."
        ),
        (
            #"{"properties": null, "geometry": {"type": "Point", "coordinates": [1, 2]}}"#,
            "The row has no name: no property name, title, label, display_name, name:en."
        ),
    ])
    func rejectsAFeatureWithItsReason(feature: String, reason: String) throws {
        #expect(try rows(feature).reasons == [reason])
    }

    @Test(arguments: [
        (#"{"Name": "A", "Title": "B"}"#, "A"), (#"{"name": "", "title": "B"}"#, "B"), (#"{"NAME": "C"}"#, "C"),
        (#"{"label": "D", "other": "E"}"#, "D"),
    ])
    func findsTheName(properties: String, name: String) throws {
        #expect(try rows(point("[1, 2]", properties)).names == [name])
    }

    @Test(arguments: [
        (#""f1""#, #"{"name": "A", "id": "p1"}"#, "f1"), ("17", #"{"name": "A"}"#, "17"),
        ("null", #"{"name": "A", "id": "p1"}"#, "p1"), ("null", #"{"name": "A", "OBJECTID": 92}"#, "92"),
        ("null", #"{"name": "A", "@id": "node/1"}"#, "node/1"), ("null", #"{"name": "A"}"#, "name:A"),
        ("9007199254740993", #"{"name": "A"}"#, "9007199254740993"),
    ])
    func findsTheKey(id: String, properties: String, key: String) throws {
        #expect(try rows(point("[1, 2]", properties, id: id)).keys == [key])
    }

    @Test
    func findsKindLinkAndRating() throws {
        let rows = try rows(
            point(
                "[1, 2]",
                #"""
                {"name": "A", "Type": "Playground", "URL": "https://a.example", "rating": "3.5", "addr:full": "1 Bay St",
                 "contact:phone": "+61", "opening_hours": "24/7", "ratings": 7}
                """#))
        let draft = try #require(rows.rows.first?.draft)
        #expect((draft.kind, draft.link) == ("playground", "https://a.example"))
        #expect(draft.rating == 3.5 && draft.attributes.ratings == 7 && draft.attributes.address == "1 Bay St")
        #expect(draft.attributes.phone == "+61" && draft.attributes.openingHours == "24/7")
    }

    @Test
    func tellsOfAnotherCoordinateSystem() throws {
        func notices(_ system: String) throws -> [String] {
            try SourceFormat.geojson.rows(
                in: """
                    {"type": "FeatureCollection", "features": [],
                     "crs": {"type": "name", "properties": {"name": "\(system)"}}}
                    """
            ).notices.map(\.text)
        }
        #expect(try notices("urn:ogc:def:crs:OGC:1.3:CRS84").isEmpty)
        #expect(try notices("urn:ogc:def:crs:EPSG::4326").isEmpty)
        #expect(
            try notices("urn:ogc:def:crs:EPSG::3857") == [
                "The source names the coordinate system urn:ogc:def:crs:EPSG::3857: it is read as WGS84 all the same."
            ])
    }

    @Test(arguments: [
        #"{"type": "Point", "coordinates": [1, 2]}"#, #"{"type": "FeatureCollection"}"#,
        #"{"type": "Topology", "objects": {}}"#,
    ])
    func refusesWhatHoldsNoFeatures(text: String) {
        guard case .wrongShape = SourceFormat.geojson.problem(with: text) else {
            Issue.record("\(text) was taken")
            return
        }
    }
}
