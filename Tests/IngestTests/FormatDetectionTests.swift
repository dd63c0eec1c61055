// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Ingest
import Landmarks
import TestTurns
import Testing

@Suite(.inShortTurn, .timeLimit(.minutes(5)))
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
