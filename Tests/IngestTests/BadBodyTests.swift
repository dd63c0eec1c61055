// SPDX-License-Identifier: Apache-2.0

import JSON
import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct BadBodyTests {
    private static let formats: [SourceFormat] = [
        .auto, .seed, .geojson, .overpass, .udacity,
        .mapping(
            FieldMapping(
                name: FieldPath("name"), position: .angles(latitude: FieldPath("lat"), longitude: FieldPath("lng")))),
    ]

    @Test(arguments: formats)
    func refusesWhatIsNoJSONAtAll(format: SourceFormat) {
        #expect(format.problem(with: "") == .unreadable(.empty))
        #expect(format.problem(with: " \r\n\t") == .unreadable(.empty))
        #expect(format.problem(with: "\n<!DOCTYPE html><html><body>Sign in</body></html>") == .unreadable(.html))
        #expect(format.problem(with: "<html lang=\"en\">") == .unreadable(.html))
        #expect(format.problem(with: "<?xml version=\"1.0\"?><osm/>") == .unreadable(.xml))
        #expect(format.problem(with: [0x1f, 0x8b, 8, 0, 0]) == .badGzip("it is cut off: fetch it again"))
        #expect(
            format.problem(with: Array("[\"".utf8) + [0xff] + Array("\"]".utf8)) == .unreadable(.notUTF8(offset: 2)))
        #expect(
            format.problem(with: #"{"locations": [{"name": "Bondi", "lat": -33.8"#) == .unreadable(.cutOff(line: 1)))
    }

    @Test(arguments: formats)
    func refusesAnotherShape(format: SourceFormat) {
        for text in ["null", "true", "1", "\"a\"", "{}", #"{"rates": {"AUD": 1}}"#] {
            #expect(format.problem(with: text) != nil)
        }
    }

    @Test
    func everyProblemIsOneSentence() {
        let told: [(SourceFormatError, String)] = [
            (.unreadable(.empty), "The body is empty: check the address."),
            (.unreadable(.notUTF8(offset: 7)), "The body is not UTF-8 from byte 7 on: convert it to UTF-8."),
            (.unreadable(.html), "The body is an HTML page: check the address, and whether it needs a login."),
            (.unreadable(.xml), "The body is XML, but neither GPX nor KML: ask the source for JSON."),
            (
                .unreadable(.foreign(.zip)),
                "The body is a zip archive, as .kmz and shapefiles come: unpack it, and give the file inside."
            ),
            (
                .nameless,
                "The body is a table without a line of names: put the names of its columns into a first line, such as "
                    + "name,lat,lng."
            ),
            (.unreadable(.packed), "The body is a gzip file within a gzip file: unpack it once."),
            (
                .unpackedTooLarge(limit: 9),
                "Unpacked, the body is larger than the limit of 9 bytes: it was discarded."
            ),
            (
                .broken("XML", line: 3, problem: "a name was expected"),
                "The XML cannot be read in line 3: a name was expected."
            ),
            (.badZip("it is encrypted"), "The body is a zip archive and cannot be read: it is encrypted."),
            (.partial("runtime error"), "The source says that its answer broke off: runtime error"),
            (.unreadable(.cutOff(line: 3)), "The JSON is cut off in line 3: fetch it again."),
            (
                .unreadable(.malformed(line: 3, column: 4, problem: "a colon was expected")),
                "The JSON is malformed in line 3, column 4: a colon was expected."
            ),
            (
                .unreadable(.tooDeep(limit: 128)),
                "The body is nested more than 128 levels deep: check that it is a source."
            ),
            (.unreadable(.tooManyValues(limit: 9)), "The body holds more than 9 values: split the source."),
            (.refused("over quota"), "The source answered with an error: over quota"),
        ]
        for (error, sentence) in told { #expect(error.description == sentence) }
    }

    /// The first bytes of files as the programs write them; each character is a byte.
    private static let foreign: [(String, ForeignFile)] = [
        ("PK\u{3}\u{4}..........................[Content_Types].xml", .spreadsheet),
        ("PK\u{3}\u{4}mimetypeapplication/vnd.oasis.opendocument.spreadsheet", .spreadsheet),
        ("\u{d0}\u{cf}\u{11}\u{e0}\u{a1}\u{b1}\u{1a}\u{e1}\0", .office),
        ("7z\u{bc}\u{af}\u{27}\u{1c}", .sevenZip), ("Rar!\u{1a}\u{7}\0", .rar), ("\u{fd}7zXZ\0\0", .xz),
        ("(\u{b5}/\u{fd}\0", .zstandard), ("BZh91AY&SY..", .bzip2), ("SQLite format 3\0\u{1}", .database),
        ("\0\0\u{27}\u{a}\0", .shapefile), ("%PDF-1.7", .pdf), (String(repeating: "a", count: 257) + "ustar", .tar),
    ]

    @Test(arguments: foreign)
    func archivesAndSpreadsheetsAreNamed(text: String, file: ForeignFile) {
        let body = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        for format in [SourceFormat.auto, .csv, .gpx, .geojson] {
            #expect(format.problem(with: body) == .unreadable(.foreign(file)))
        }
        #expect(throws: RatesFormatError.self) { try RatesReader.read(body) }
    }

    @Test func textsThatBeginLikeArchivesAreTexts() throws {
        for name in ["PK", "BZh9", "7z", "Rar!", "ustar"] {
            #expect(try SourceFormat.auto.rows(in: "name,lat,lng,\(name)\n\(name),1,2,\n").names == [name])
            #expect(try SourceFormat.csv.rows(in: "\(name),name,lat,lng\n,\(name),1,2\n").names == [name])
        }
    }

    @Test
    func saysWhatItFoundInstead() {
        #expect(
            SourceFormat.seed.problem(with: #"{"beaches": [], "updated": 1}"#)?.description
                == "The JSON is not of this format: expected an object with a list named locations, "
                + "found an object with the members beaches, updated.")
        #expect(
            SourceFormat.auto.problem(with: #"{"base": "AUD", "rates": {}}"#)?.description
                == "The format is not recognised (an object with the members base, rates): "
                + "name one of seed, takeout, geojson, overpass, udacity, ndjson, csv, kml, gpx, mapping.")
    }

    @Test
    func anErrorInPlaceOfRowsIsAnError() {
        #expect(
            SourceFormat.auto.problem(with: #"{"status": "OVER_QUERY_LIMIT", "error_message": "over quota"}"#)
                == .refused("over quota"))
        #expect(SourceFormat.seed.problem(with: #"{"error": {"message": "no key"}}"#) == .refused("no key"))
        #expect(SourceFormat.seed.problem(with: #"{"locations": [], "error": "no key"}"#) == .refused("no key"))
        #expect(SourceFormat.udacity.problem(with: #"{"results": [], "error": ""}"#) == nil)
    }
}
