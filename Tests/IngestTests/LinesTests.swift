// SPDX-License-Identifier: Apache-2.0

import Ingest
import TestTurns
import Testing

@Suite(.inShortTurn)
struct LinesTests {
    private static let line =
        #"{"id":"01a1fb81","name":"Bondi","lat":-33.8,"lng":151.2,"kind":"beach","link":null,"user":"ann","source":{"name":"x","key":"7"},"rating":4.5,"notes":[]}"#
    private static let other = #"{"id":"01a1fb82","name":"Manly","lat":-33.7,"lng":151.3,"kind":null,"source":null}"#

    @Test(arguments: [SourceFormat.auto, .ndjson], ["\n", "\r\n", "\n\n \n", "\n\u{1e}"])
    func readsWhatListPrints(format: SourceFormat, separator: String) throws {
        let rows = try format.rows(
            in: [Self.line, Self.other, #"{"cursor":null}"#].joined(separator: separator) + "\n")
        #expect(rows.keys == ["01a1fb81", "01a1fb82"] && rows.rejected.isEmpty)
        #expect(rows.rows[0].draft.kind == "beach" && rows.rows[0].draft.rating == 4.5)
        #expect(rows.format == "ndjson (name name, lat lat, lng lng, key id, kind kind, rating rating)")
    }

    @Test(arguments: [SourceFormat.auto, .ndjson])
    func oneLineIsEnough(format: SourceFormat) throws {
        #expect(try format.rows(in: Self.line).keys == ["01a1fb81"])
        #expect(try format.rows(in: Self.line + "\n" + #"{"cursor":"x"}"#).keys == ["01a1fb81"])
    }

    @Test func featuresMayStandInLines() throws {
        let feature =
            #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[2,1]},"properties":{"name":"A"}}"#
        for format in [SourceFormat.auto, .geojson] {
            let rows = try format.rows(
                in: "\u{1e}\(feature)\n\u{1e}\(feature.replacing("1,", with: "2,"))\n" + #"{"type":"Feature"}"#)
            #expect(rows.keys == ["1", "2"] && rows.format == "geojson")
            #expect(rows.refusals == ["line 3: The row has no geometry."])
        }
    }

    @Test func aMappingReadsLines() throws {
        let mapping = try FieldMapping(name: "n", lat: "at.0", lng: "at.1")
        let rows = try SourceFormat.mapping(mapping).rows(in: "{\"n\":\"A\",\"at\":[1,2]}\n{\"n\":\"B\"}\n")
        #expect(rows.names == ["A"] && rows.refusals == ["line 2 (B): The row has no latitude."])
    }

    @Test func aLineThatIsNoJSONRefusesTheWhole() {
        #expect(
            SourceFormat.auto.problem(with: Self.line + "\n{\"name\": x}\n")
                == .unreadable(.malformed(line: 2, column: 10, problem: "a value was expected")))
        #expect(
            SourceFormat.auto.problem(with: Self.line + "\n" + Self.other.dropLast(9))
                == .unreadable(.cutOff(line: 2)))
        #expect(
            SourceFormat.ndjson.problem(with: Self.line + " " + Self.other)
                == .unreadable(
                    .malformed(line: 1, column: Self.line.count + 2, problem: "a new line was expected")))
        #expect(
            SourceFormat.auto.problem(with: #"{"locations": []} x"#)
                == .unreadable(.malformed(line: 1, column: 19, problem: "something follows the JSON")))
    }
}
