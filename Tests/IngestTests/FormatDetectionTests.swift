// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Ingest
import Landmarks
import TestTurns
import Testing

@Suite(.inShortTurn)
struct FormatDetectionTests {
    @Test(arguments: [
        (#"{"locations": []}"#, "seed"),
        (#"{"type": "FeatureCollection", "features": []}"#, "geojson"),
        (#"{"generator": "Overpass API", "elements": []}"#, "overpass"),
        (#"{"results": [{"objectId": "a", "mapString": "A", "latitude": 1, "longitude": 2}]}"#, "udacity"),
        (#"[{"name": "A", "lat": 1, "lng": 2}]"#, "mapping (name name, lat lat, lng lng)"),
        (
            #"[{"city": "A", "latitude": 1, "longitude": 2, "id": null}]"#,
            "mapping (name city, lat latitude, lng longitude)"
        ),
        (
            #"[{"display_name": "A", "lat": "1.5", "lon": "2.5", "place_id": 3, "type": "house"}]"#,
            "mapping (name display_name, lat lat, lng lon, key place_id, kind type)"
        ),
        (
            #"{"count": 1, "beaches": [{"id": "a", "name": "A", "lat": 1, "lon": 2}], "tags": ["x"]}"#,
            "mapping (rows beaches, name name, lat lat, lng lon, key id)"
        ),
        (
            #"{"results": [{"name": "A", "geometry": {"location": {"lat": 1, "lng": 2}}, "types": ["bar"]}]}"#,
            "mapping (rows results, name name, lat geometry.location.lat, lng geometry.location.lng, kind types)"
        ),
        (
            #"[{"id": null, "name": "A", "lat": 1, "lng": 2}, {"id": 5, "name": "B", "lat": 1, "lng": 2}]"#,
            "mapping (name name, lat lat, lng lng, key id)"
        ),
    ])
    func tellsTheFormat(body: String, format: String) throws {
        #expect(try SourceFormat.auto.rows(in: body).format == format)
    }

    @Test(
        "Google's nearby search: the first type of the table, vicinity, rating and their number; its hours are no text")
    func google() throws {
        let rows = try SourceFormat.auto.rows(
            in: """
                {"html_attributions": [], "status": "OK", "results": [
                 {"name": "P.J.O'Brien's", "place_id": "ChIJi6C1", "id": "055f", "rating": 3.8, "user_ratings_total": 212,
                  "geometry": {"location": {"lat": -33.8688161, "lng": 151.2054207}, "viewport": {}},
                  "opening_hours": {"open_now": true, "weekday_text": []}, "vicinity": "57 King Street, Sydney",
                  "types": ["point_of_interest", "bar", "restaurant", "food", "establishment"]},
                 {"name": "Rocks", "place_id": "x", "geometry": {"location": {"lat": 1, "lng": 2}},
                  "types": ["colloquial_area", "political"], "international_phone_number": "+61 2 9374 4000"}]}
                """)
        #expect(rows.rejected.isEmpty && rows.notices.isEmpty)
        let drafts = rows.rows.map(\.draft)
        #expect(drafts.map(\.kind) == ["bar", "colloquial_area"])
        let pub = try #require(drafts.first).attributes
        #expect(pub.rating == 3.8 && pub.ratings == 212 && pub.address == "57 King Street, Sydney")
        #expect(pub.openingHours.isEmpty && drafts[1].attributes.phone == "+61 2 9374 4000")
    }

    @Test
    func readsStringsAsNumbers() throws {
        let rows = try SourceFormat.auto.rows(in: #"[{"display_name": "A", "lat": "51.5", "lon": "-0.12"}]"#)
        #expect(rows.rows.first?.draft.coordinate.latitude == 51.5)
        #expect(rows.rows.first?.draft.coordinate.longitude == -0.12)
    }

    @Test(arguments: [
        "[]", "[1, 2]", #"[{"name": "A"}]"#, #"{"results": []}"#,
        #"{"a": [{"name": "A", "lat": 1, "lng": 2}], "b": [{"name": "A", "lat": 1, "lng": 2}]}"#,
    ])
    func refusesToGuess(body: String) {
        guard case .unrecognised = SourceFormat.auto.problem(with: body) else {
            Issue.record("\(body) was taken")
            return
        }
    }
}
