// SPDX-License-Identifier: Apache-2.0

import Ingest
import TestTurns
import Testing

/// Tables as programs write them, beside the plain ones.
@Suite(.inShortTurn)
struct StrangeTableTests {
    @Test(arguments: [
        // pandas numbers its rows in a column without a name.
        ",name,lat,lon\n0,Alder,40.1,-71.1\n1,Birch,40.2,-71.2\n",
        "\tname\tlat\tlon\n0\tAlder\t40.1\t-71.1\n1\tBirch\t40.2\t-71.2\n",
        "name,lat,lon,\nAlder,40.1,-71.1,\nBirch,40.2,-71.2,\n",
        // Excel names the separator in a line of its own.
        "sep=;\nname;lat;lon\nAlder;40.1;-71.1\nBirch;40.2;-71.2\n",
        "\u{feff}\"sep=\t\"\r\nname\tlat\tlon\r\nAlder\t40.1\t-71.1\r\nBirch\t40.2\t-71.2\r\n",
        "SEP=,\rname,lat,lon\rAlder,40.1,-71.1\rBirch,40.2,-71.2",
        // Years, and the separator of the files of the Geological Survey.
        "name,lat,lon,2019,2020\nAlder,40.1,-71.1,3,4\nBirch,40.2,-71.2,3,4\n",
        "name|lat|lon|12\nAlder|40.1|-71.1|a,b\nBirch|40.2|-71.2|;\n",
    ])
    func areRead(_ text: String) throws {
        for format in [SourceFormat.auto, .csv] {
            let rows = try format.rows(in: text)
            #expect(rows.names == ["Alder", "Birch"] && rows.rejected.isEmpty)
            #expect(rows.rows.map(\.draft.coordinate.latitude) == [40.1, 40.2])
        }
    }

    @Test func aLineOfTheSeparatorCountsAsALine() throws {
        #expect(
            try SourceFormat.auto.rows(in: "sep=;\nname;lat;lon\nA;x;1\n").refusals.first?.hasPrefix("line 3 (A)")
                == true)
    }

    @Test func ownNamesBesideABlankOneAndYears() throws {
        let mapping = SourceFormat.mapping(try FieldMapping(name: "site", lat: "breite", lng: "laenge"))
        #expect(try mapping.rows(in: ",site,breite,laenge\n0,Alder,40.1,-71.1\n").names == ["Alder"])
        #expect(try mapping.rows(in: "1990,site,breite,laenge\n0,Alder,40.1,-71.1\n").names == ["Alder"])
    }

    @Test(arguments: [
        "2747373\tThe Hague\tThe Hague\t\t52.07667\t4.29861\tP\tPPLG\tNL\n", "Alder,40.1,-71.1\nBirch,40.2,-71.2\n",
        "1;2\n3;4\n",
    ])
    func rowsWithoutNamesAreNoJSON(_ text: String) throws {
        #expect(SourceFormat.auto.problem(with: text) == .nameless)
        let mapping = try FieldMapping(name: "name", lat: "lat", lng: "lng")
        #expect(SourceFormat.mapping(mapping).problem(with: text) == .nameless)
    }

    @Test(arguments: ["\t{\"a\": 1, \"b\": 2}", "[1, 2]", "12, of them 3 open", "5"])
    func whatIsNoTableIsNotTakenForOne(_ text: String) {
        let problem = SourceFormat.auto.problem(with: text)
        #expect(problem != nil && problem != .nameless)
        if case .unknownColumns = problem { Issue.record("\(text) was taken for a table") }
    }

    @Test(arguments: [
        ("SRID=4326;POINT(151.2 -33.8)", -33.8), ("srid=4326; POINT Z (151.2 -33.8 5)", -33.8),
        ("SRID=4979;POINTZ(151.2 -33.8 5)", -33.8), ("POINTM (151.2 -33.8 5)", -33.8),
        ("PointZM(151.2 -33.8 5 6)", -33.8),
        ("-33.8, 151.2", -33.8), ("-33.8,151.2", -33.8),
    ])
    func positionsInOneCell(_ text: String, _ latitude: Double) throws {
        let mapping = SourceFormat.mapping(try FieldMapping(name: "name", wkt: "geom"))
        let place = try mapping.rows(in: "name;geom\nA;\"\(text)\"\n").rows.first?.draft.coordinate
        #expect(place?.latitude == latitude && place?.longitude == 151.2)
    }

    @Test(arguments: [
        "SRID=3857;POINT(151.2 -33.8)", "POINTY(1 2)", "1;2", "1,2,3", "x,2", "SRID=4326;SRID=4326;POINT(1 2)",
    ])
    func otherPositionsInOneCellAreNone(_ text: String) throws {
        let mapping = SourceFormat.mapping(try FieldMapping(name: "name", wkt: "geom"))
        let rows = try mapping.rows(in: "name\tgeom\nA\t\"\(text)\"\n")
        #expect(rows.reasons == ["The position is neither a WKT point of WGS 84 nor LAT,LNG: \(text)."])
    }
}
