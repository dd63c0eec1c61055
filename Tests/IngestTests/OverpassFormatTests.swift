// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Ingest
import Landmarks
import TestTurns
import Testing

@Suite(.inShortTurn)
struct OverpassFormatTests {
    private func body(_ elements: String, remark: String? = nil) -> String {
        let last = remark.map { #", "remark": "\#($0)""# } ?? ""
        return #"{"version": 0.6, "osm3s": {}, "elements": [\#(elements)]\#(last)}"#
    }

    @Test
    func readsNodesAndCentres() throws {
        let rows = try SourceFormat.overpass.rows(
            in: body(
                """
                {"type": "node", "id": 1, "lat": -33.8, "lon": 151.2, "tags": {"name": "Bar", "amenity": "bar;cafe"}},
                {"type": "way", "id": 1, "center": {"lat": 1, "lon": 2}, "tags": {"name": "Hall", "building": "yes"}},
                {"type": "relation", "id": 1, "center": {"lat": 3, "lon": 4},
                 "tags": {"name:en": "Reef", "natural": "reef", "contact:website": "https://reef.example"}}
                """))
        #expect(rows.keys == ["node/1", "way/1", "relation/1"])
        #expect(rows.names == ["Bar", "Hall", "Reef"])
        #expect(rows.rows.map(\.draft.kind) == ["bar", "building", "reef"])
        #expect(rows.rows[2].draft.link == "https://reef.example")
        #expect(rows.rows[1].draft.coordinate == (try Coordinate(latitude: 1, longitude: 2)))
    }

    /// The kinds of the table first, by the key that says most; otherwise the value of the first general key.
    @Test(arguments: [
        (#""amenity": "fuel""#, "gas_station"), (#""railway": "station", "station": "subway""#, "subway_station"),
        (#""railway": "station", "building": "yes""#, "train_station"),
        (#""amenity": "place_of_worship", "religion": "muslim""#, "mosque"),
        (#""amenity": "school", "religion": "christian""#, "school"),
        (#""amenity": "school", "isced:level": "1;2""#, "primary_school"),
        (#""amenity": "place_of_worship", "religion": "jedi""#, "place_of_worship"),
        (#""natural": "beach", "tourism": "viewpoint""#, "tourist_attraction"),
        (#""natural": "beach", "building": "yes""#, "beach"), (#""shop": "yes""#, "store"),
        (#""craft": "painter""#, "painter"),
    ])
    func kindsOfTags(tags: String, kind: String) throws {
        let node = #"{"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {"name": "N", \#(tags)}}"#
        #expect(try SourceFormat.overpass.rows(in: body(node)).rows.map(\.draft.kind) == [kind])
    }

    @Test(
        "address, phone and opening hours",
        arguments: [
            (
                #""addr:housenumber": "5", "addr:street": "Bay St", "addr:postcode": "2000", "addr:city": "Sydney""#,
                "5 Bay St, 2000 Sydney"
            ),
            (#""addr:street": "Bay St", "addr:suburb": "Ultimo""#, "Bay St, Ultimo"),
            (#""addr:full": "The old pier", "addr:street": "Bay St""#, "The old pier"),
            (#""addr:postcode": "2000", "addr:housenumber": "5""#, ""),
        ])
    func addresses(tags: String, address: String) throws {
        let rows = try SourceFormat.overpass.rows(
            in: body(
                """
                {"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {"name": "N", \(tags),
                 "contact:phone": "+61 2 1234", "opening_hours": "Mo-Fr 09:00-17:00; PH off"}}
                """))
        let draft = try #require(rows.rows.first?.draft)
        #expect(draft.attributes.address == address && draft.attributes.phone == "+61 2 1234")
        #expect(draft.attributes.openingHours == "Mo-Fr 09:00-17:00; PH off")
    }

    @Test
    func rejectsWhatHasNoPlaceOrName() throws {
        let rows = try SourceFormat.overpass.rows(
            in: body(
                """
                {"type": "way", "id": 2, "nodes": [1, 2], "tags": {"name": "Street"}},
                {"type": "area", "id": 3}, {"type": "node", "id": 4, "lat": 1, "lon": 2}, {"type": "node", "id": 5}
                """))
        #expect(rows.rows.isEmpty)
        #expect(
            rows.refusals == [
                "elements[0] (Street): The row is of type way and has no centre: ask for it with \"out center\".",
                "elements[1] (area/3): The row is of type area and has no centre: ask for it with \"out center\".",
                "elements[2] (node/4): The row has no name: no tag name, name:en, official_name.",
                "elements[3] (node/5): The row has no name: no tag name, name:en, official_name.",
            ])
    }

    @Test
    func aRemarkInPlaceOfElementsIsAnError() throws {
        let remark = "runtime error: Query timed out at line 4 after 2 seconds."
        #expect(
            SourceFormat.overpass.problem(with: body("", remark: remark))?.description
                == "The source answered with an error: \(remark)")
        #expect(SourceFormat.overpass.problem(with: #"{"remark": "too busy"}"#) == .refused("too busy"))
    }

    @Test
    func aListThatBrokeOffIsAnError() throws {
        let node = #"{"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {"name": "A"}}"#
        #expect(
            SourceFormat.overpass.problem(with: body(node, remark: "runtime error: out of memory"))
                == .partial("runtime error: out of memory"))
        let partial = try SourceFormat.auto.rows(
            in: Array(body(node, remark: "runtime error: out of memory").utf8), acceptsPartial: true)
        #expect(partial.keys == ["node/1"] && partial.brokeOff == "runtime error: out of memory")
        #expect(partial.notices.map(\.text) == ["The source remarks: runtime error: out of memory"])
        let rows = try SourceFormat.overpass.rows(in: body(node, remark: "one area was skipped"))
        #expect(rows.keys == ["node/1"] && rows.brokeOff == nil)
        #expect(rows.notices.map(\.text) == ["The source remarks: one area was skipped"])
    }
}
