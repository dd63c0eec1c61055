// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct TakeoutFormatTests {
    private static let saved = """
        {"type": "FeatureCollection", "features": [
        {"geometry": {"coordinates": [151.2153, -33.8568], "type": "Point"}, "properties": {
          "date": "2025-11-17T09:08:03Z", "google_maps_url": "http://maps.google.com/?cid=1",
          "location": {"address": "Bennelong Point", "country_code": "AU", "name": "Opera House"}}, "type": "Feature"},
        {"geometry": {"coordinates": [2.5, 1.5], "type": "Point"}, "properties": {
          "Google Maps URL": "http://maps.google.com/?cid=2", "Title": "Old Pier",
          "Location": {"Address": "Quay 1", "Geo Coordinates": {"Latitude": "1.5", "Longitude": "2.5"}}}, "type": "Feature"},
        {"geometry": {"coordinates": [0, 0], "type": "Point"}, "properties": {
          "google_maps_url": "http://maps.google.com/?q=41.5,-5.25",
          "Comment": "No location information is available for this saved place"}, "type": "Feature"},
        {"geometry": {"coordinates": [0, 0], "type": "Point"}, "properties": {
          "google_maps_url": "http://maps.google.com/?q=Oaxaca,+Mexico&ftid=0x1:0x2"}, "type": "Feature"}]}
        """

    @Test(arguments: [SourceFormat.auto, .takeout])
    func savedPlaces(format: SourceFormat) throws {
        let rows = try format.rows(in: Self.saved)
        #expect(rows.format == "takeout" && rows.names == ["Opera House", "Old Pier", "41.5, -5.25"])
        #expect(rows.rows.map(\.draft.attributes.address) == ["Bennelong Point", "Quay 1", ""])
        #expect(rows.rows[0].draft.link == "http://maps.google.com/?cid=1")
        #expect(rows.rows.map(\.draft.coordinate.longitude) == [151.2153, 2.5, -5.25])
        #expect(rows.refusals == ["features[3]: The row has no position, and its URL has none."])
    }

    @Test(arguments: ["Title,Note,URL,Comment", "Titel,Notiz,URL,Kommentar", "Title,Note,URL,Tags,Comment"])
    func aList(header: String) throws {
        let rows = try SourceFormat.auto.rows(
            in: """
                \(header)
                ,,,
                "Tower, tall",note,"https://www.google.com/maps/place/Tower/data=!4m2!3d48.8583!4d2.2945",go
                Pin,,"https://www.google.com/maps/search/41.5,%20-5.25",
                Noodles,,https://www.google.com/maps/place/Noodles/data=!4m2!3m1!1s0x80:0x6a,
                """)
        #expect(rows.format == "takeout" && rows.names == ["Tower, tall", "Pin"])
        #expect(rows.rows.map(\.draft.coordinate.latitude) == [48.8583, 41.5])
        #expect(rows.refusals == ["line 5 (Noodles): The row has no position, and its URL has none."])
        #expect(rows.rejected.map(\.common) == ["have no position, and none in their URL"])
    }

    @Test func otherTablesWithURLsAreNone() throws {
        let table = "name,url,lat,lng\nPier,https://maps.google.com/?cid=9,1,2\n"
        #expect(SourceFormat.auto.problem(with: "a,url\nPier,https://a.example\n") != nil)
        let rows = try SourceFormat.auto.rows(in: table)
        #expect(rows.format.hasPrefix("csv") && rows.names == ["Pier"])
    }

    @Test(arguments: [
        ("https://www.google.com/maps/place/A/@1.5,2.5,17z/data=!3d3.5!4d-4.5!16s", "3.5", "-4.5"),
        ("https://www.google.com/maps/@1.5,2.5,17z", "1.5", "2.5"),
        ("https://maps.google.com/?ftid=1&q=1.5%2C2.5", "1.5", "2.5"),
        ("https://www.google.com/maps/place/12,+3rd+Street/@1.5,2.5,17z", "1.5", "2.5"),
        ("https://www.google.com/maps/search/?api=1&query=1.5,+2.5", "1.5", "2.5"),
    ])
    func positions(url: String, latitude: String, longitude: String) {
        let found = TakeoutFormat.position(in: url)
        #expect(found?.latitude == latitude && found?.longitude == longitude)
    }

    @Test(arguments: ["", "https://maps.google.com/?q=1.5", "?q=,", "?q=1.5,x", "!3d!4d", "!3d1!4d", "/@..,--"])
    func noPositions(url: String) { #expect(TakeoutFormat.position(in: url) == nil) }
}
