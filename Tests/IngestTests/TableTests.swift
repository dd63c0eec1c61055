// SPDX-License-Identifier: Apache-2.0

import Ingest
import Landmarks
import TestTurns
import Testing

@Suite(.inShortTurn)
struct TableTests {
    @Test(arguments: [SourceFormat.auto, .csv])
    func readsATableByItsColumns(format: SourceFormat) throws {
        let rows = try format.rows(
            in:
                "ID,Name,LAT,Lon,type,website\r\n7,\"Bondi, the \"\"Beach\"\"\",-33.89,151.27,beach,https://a.example\r\n8,B,1,2,,\r\n"
        )
        #expect(rows.keys == ["7", "8"])
        #expect(rows.names == ["Bondi, the \"Beach\"", "B"])
        #expect(rows.rows[0].draft.kind == "beach" && rows.rows[0].draft.link == "https://a.example")
        #expect(rows.rows[0].draft.coordinate.latitude == -33.89 && rows.rows[0].draft.coordinate.longitude == 151.27)
        #expect(rows.rows[1].draft.kind.isEmpty && rows.rows[1].draft.link.isEmpty)
        #expect(rows.format == "csv (name Name, lat LAT, lng Lon, key ID, kind type, link website)")
    }

    @Test(arguments: [";", "\t", ","])
    func otherSeparators(_ separator: String) throws {
        let text = ["name,lat,lng", "\"a;b\tc,d\",1.5,2"].map { line in
            line.contains("\"")
                ? "\"a;b\tc,d\"" + line.dropFirst(9).replacing(",", with: separator)
                : line.replacing(",", with: separator)
        }.joined(separator: "\n")
        #expect(try SourceFormat.auto.rows(in: "\u{feff}" + text).names == ["a;b\tc,d"])
    }

    @Test func aLineThatCannotBeTakenIsNamedByItsNumber() throws {
        let rows = try SourceFormat.csv.rows(
            in: "name,lat,lng\nA,1,2\n\n\"two\nlines\",x,2\n,1,2\nC,1,2,3\nD,1,2,,\nE,1")
        #expect(rows.names == ["A", "D"])
        #expect(
            rows.refusals == [
                "line 4 (two\nlines): The latitude is no number: x.",
                "line 6: The row has no name: name is missing or empty.",
                "line 7 (C): The row has 4 cells, and the first line only 3.", "line 9 (E): The row has no longitude.",
            ])
        #expect(rows.rejected.map(\.common).first == "have a latitude that is no number")
    }

    @Test func aMappingNamesColumns() throws {
        let mapping = try FieldMapping(name: "Title", wkt: "geom", key: "ref", attributes: [.kind: "=pool"])
        let rows = try SourceFormat.mapping(mapping).rows(in: "ref,Title,geom\n1,A,POINT(151.2 -33.8)\n")
        #expect(rows.keys == ["1"] && rows.rows[0].draft.kind == "pool")
        #expect(rows.format == "csv (name Title, wkt geom, key ref, kind =pool)")
    }

    @Test func aMistypedColumnIsTold() throws {
        let mapping = try FieldMapping(name: "nmae", lat: "lat", lng: "lng")
        let rows = try SourceFormat.mapping(mapping).rows(in: "name,lat,lng\nA,1,2\n")
        #expect(rows.rows.isEmpty && rows.rejected.count == 1)
        #expect(rows.notices.map(\.text) == ["No row has the field nmae: the first one has name, lat, lng."])
    }

    @Test func whatIsNoTableOfPlaces() {
        #expect(SourceFormat.csv.problem(with: "a,b\n1,2\n") == .unknownColumns(["a", "b"]))
        #expect(SourceFormat.auto.problem(with: "a,b\n1,2\n") == .unknownColumns(["a", "b"]))
        #expect(
            SourceFormat.csv.problem(with: "name,lat,lng\nA,\"1,2\nB,1,2\n")
                == .broken("table", line: 2, problem: "a quote is not closed"))
        #expect(
            SourceFormat.csv.problem(with: "name,lat,lng\n\"A\"x,1,2\n")
                == .broken("table", line: 2, problem: "something follows a closing quote"))
        #expect(SourceFormat.csv.problem(with: "") == .unreadable(.empty))
        #expect(SourceFormat.csv.problem(with: "<html>") == .unreadable(.html))
        // Prose with commas is not a line of column names.
        for text in ["Not found", "Sorry, 1", "1,2\n3,4", "null", "\"a\""] {
            guard case .unknownColumns? = SourceFormat.auto.problem(with: text) else { continue }
            Issue.record("\(text) was taken for a table")
        }
    }

    @Test func aTableWithoutRowsIsEmpty() throws {
        #expect(try SourceFormat.csv.rows(in: "name,lat,lng").rows.isEmpty)
        #expect(try SourceFormat.auto.rows(in: "name,lat,lng\r\n").rejected.isEmpty)
    }
}
