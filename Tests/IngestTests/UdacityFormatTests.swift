// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct UdacityFormatTests {
    @Test
    func theNameIsThePlace() throws {
        let rows = try SourceFormat.udacity.rows(
            in: """
                {"results": [
                    {"objectId": "a", "uniqueKey": "1", "firstName": "Ann", "lastName": "Lee", "mapString": "Cairns",
                     "latitude": -16.9, "longitude": 145.7, "mediaURL": "https://a.example"},
                    {"objectId": "b", "uniqueKey": 1, "firstName": "Ann", "lastName": "Lee", "mapString": " ",
                     "latitude": 0, "longitude": 1, "mediaURL": "aa"},
                    {"objectId": "c", "latitude": 0, "longitude": 1},
                    {"objectId": "a", "mapString": "Perth", "latitude": 0, "longitude": 1},
                    {"uniqueKey": 2, "mapString": "Hobart", "latitude": 0, "longitude": 1}
                ]}
                """)
        #expect(rows.keys == ["a", "b", "name:Hobart"])
        #expect(rows.names == ["Cairns", "Ann Lee", "Hobart"])
        #expect(rows.rows[1].draft.link == "aa")
        #expect(
            rows.notices == [
                SourceNotice(
                    place: "results[1] (Ann Lee)", text: "The link \"aa\" has no scheme and is kept as text.",
                    common: "have a link without a scheme, which is kept as text")
            ])
        #expect(
            rows.refusals == [
                "results[2] (c): The row has no name: mapString, firstName and lastName are missing.",
                "results[3] (Perth): The row repeats the id of results[0].",
            ])
    }
}
