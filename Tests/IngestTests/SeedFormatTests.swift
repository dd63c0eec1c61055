// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct SeedFormatTests {
    @Test
    func readsLocations() throws {
        let rows = try SourceFormat.seed.rows(
            in: """
                {"locations": [
                    {"name": "Milsons Point", "lat": -33.850750, "lng": 151.212519},
                    {"name": "Bondi Beach", "lat": "-33.889967", "lng": "151.276440", "kind": "beach", "id": 7,
                     "link": "https://bondi.example", "rating": 4.5, "notes": "not taken"}
                ], "updated": "2016-12-01T06:52:08Z"}
                """)
        #expect(rows.format == "seed")
        #expect(rows.keys == ["name:Milsons Point", "7"])
        #expect(rows.rows[0].draft.coordinate == (try Coordinate(latitude: -33.850750, longitude: 151.212519)))
        let bondi = rows.rows[1].draft
        #expect(bondi.coordinate == (try Coordinate(latitude: -33.889967, longitude: 151.276440)))
        #expect((bondi.name, bondi.kind, bondi.link) == ("Bondi Beach", "beach", "https://bondi.example"))
        #expect(bondi.rating == 4.5)
        #expect(rows.rejected.isEmpty && rows.notices.isEmpty)
    }

    @Test
    func anEmptyListIsNoError() throws {
        #expect(try SourceFormat.seed.rows(in: #"{"locations": []}"#) == SourceRows(format: "seed"))
    }

    @Test(arguments: [
        (#"{"lat": 1, "lng": 2}"#, "The row has no name."),
        (#"{"name": "", "lat": 1, "lng": 2}"#, "The row has no name."),
        (#"{"name": " \n", "lat": 1, "lng": 2}"#, "The row has no name."),
        (#"{"name": null, "lat": 1, "lng": 2}"#, "The row has no name."),
        (#"{"name": "A"}"#, "The row has no latitude."),
        (#"{"name": "A", "lat": 1}"#, "The row has no longitude."),
        (#"{"name": "A", "lat": 1, "lng": null}"#, "The row has no longitude."),
        (#"{"name": "A", "lat": 91, "lng": 2}"#, "The latitude 91.0 is not within -90 and 90 degrees."),
        (#"{"name": "A", "lat": "NaN", "lng": 2}"#, "The latitude is no number: NaN."),
        (#"{"name": "A", "lat": 1e999, "lng": 2}"#, "The latitude and longitude must be finite numbers."),
        (#"{"name": "A", "lat": 1, "lng": "east"}"#, "The longitude is no number: east."),
        (#"{"name": "A", "lat": 1, "lng": {}}"#, "The longitude is no number: an empty object."),
        (#"{"name": "A", "lat": true, "lng": 1}"#, "The latitude is no number: true or false."),
        (#"{"name": "A\u0000", "lat": 1, "lng": 1}"#, "The name holds a NUL character: leave it out."),
        (#""Bondi""#, "The row has no name."),
        ("[1, 2]", "The row has no name."),
        ("null", "The row has no name."),
    ])
    func rejectsARowWithItsReason(row: String, reason: String) throws {
        let rows = try SourceFormat.seed.rows(in: #"{"locations": [{"name": "B", "lat": 0, "lng": 0}, \#(row)]}"#)
        #expect(rows.names == ["B"])
        #expect(rows.reasons == [reason])
        #expect(rows.rejected[0].place.hasPrefix("locations[1]"))
    }

    @Test
    func takesNamesOfUpTo200Characters() throws {
        for (count, taken) in [(200, 1), (201, 0)] {
            let name = String(repeating: "ä", count: count)
            let rows = try SourceFormat.seed.rows(in: #"{"locations": [{"name": "\#(name)", "lat": 0, "lng": 0}]}"#)
            #expect(rows.rows.count == taken)
            if taken == 0 {
                #expect(rows.reasons == ["The name is too long: at most 200 characters are kept."])
                #expect(rows.rejected[0].place == "locations[0] (\(String(repeating: "ä", count: 60))…)")
            }
        }
    }

    @Test
    func normalisesLongitudes() throws {
        let rows = try SourceFormat.seed.rows(in: #"{"locations": [{"name": "A", "lat": 0, "lng": 190}]}"#)
        #expect(rows.rows.first?.draft.coordinate.longitude == -170)
    }

    @Test
    func leavesOutWhatIsWrongBesideNameAndPosition() throws {
        let kind = String(repeating: "k", count: 65)
        let rows = try SourceFormat.seed.rows(
            in: """
                {"locations": [
                    {"name": "A", "lat": 0, "lng": 0, "kind": "\(kind)"},
                    {"name": "B", "lat": 0, "lng": 0, "link": "bondi.example"},
                    {"name": "C", "lat": 0, "lng": 0, "rating": 8.5},
                    {"name": "D", "lat": 0, "lng": 0, "kind": "Train Station", "rating": null}
                ]}
                """)
        #expect(rows.names == ["A", "B", "C", "D"])
        #expect(rows.rows.map(\.draft.kind) == ["", "", "", "train_station"])
        #expect(rows.rows[1].draft.link == "bondi.example")
        #expect(rows.rows[2].draft.rating == nil)
        #expect(
            rows.notices.map(\.text) == [
                "The kind was left out. The kind is too long: at most 64 characters are kept.",
                "The link \"bondi.example\" has no scheme and is kept as text.",
                "The rating was left out. The rating is not a number from 0 to 5.",
            ])
        #expect(rows.notices.map(\.place) == ["locations[0] (A)", "locations[1] (B)", "locations[2] (C)"])
    }
}
