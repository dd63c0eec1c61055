// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Ingest
import Landmarks
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkJSON

@testable import Web

@Suite("Lists as documents", .inTurn)
struct ListFormTests {
    /// Names that a form could break, each beside a number.
    private static let names = [
        "Pier", "a,b;c", "\"quoted\"", "two\nlines", "<b>&amp;</b>", "]]>", "é 🎵", "=1+1", "\u{202e}left", "a\tb", "'",
    ]

    private func landmarks(_ count: Int) throws -> [Landmark] {
        try (0..<count).map { number in
            var attributes = Attributes(
                kind: "beach", link: "https://a.example/?a=\(number)&b=\"2\"", rating: Double(number % 51) / 10)
            (attributes.ratings, attributes.phone) = (Double(number), "+61 2 \(number)")
            (attributes.address, attributes.openingHours) = ("1, Quay \"\(number)\"", "Mo-Fr 09:00-17:00")
            return Landmark(
                id: UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_0000_0000 + UInt64(number)),
                name: "\(Self.names[number % Self.names.count]) \(number)",
                coordinate: try Coordinate(
                    latitude: Double(number) * 0.0171 - 85, longitude: Double(number) * 0.0359 - 179),
                attributes: attributes, created: 1_772_357_400_000, updated: 1_772_357_400_123)
        }
    }

    private func document(_ form: ListForm, _ landmarks: [Landmark], isMeasured: Bool = false) -> [UInt8] {
        var document = ListDocument(form, isMeasured: isMeasured, tellsOpening: false)
        for landmark in landmarks {
            Hit(landmark: landmark, distance: isMeasured ? 12.5 : nil).withView { document.add($0) }
        }
        return document.bytes + document.end()
    }

    private func drafts(_ landmarks: [Landmark]) throws -> [LandmarkDraft] {
        try landmarks.map {
            var draft = try LandmarkDraft(name: $0.name, coordinate: $0.coordinate)
            draft.attributes = $0.attributes
            return draft
        }
    }

    @Test("10,000 placemarks go out and come in equal, also in a KMZ")
    func placemarks() throws {
        let all = try landmarks(10_000)
        let kml = document(.kml, all)
        let gzip = try #require(Deflation.gzip(kml))
        let kmz = ZipFile.archive([ZipFile("doc.kml", gzip: gzip), ZipFile("files/icon.png", [1])])
        let wanted = try drafts(all)
        for body in [kml, kmz] {
            let rows = try SourceFormat.auto.rows(in: body)
            #expect(rows.format == "kml" && rows.rejected.isEmpty && rows.notices.isEmpty)
            #expect(rows.rows.map(\.draft) == wanted)
            #expect(rows.rows.map(\.key) == all.map(\.id.description))
        }
    }

    @Test("a quote is escaped within an attribute of GPX, whatever follows it")
    func quotes() throws {
        let landmark = Landmark(
            id: UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_0000_0000), name: "Pier",
            coordinate: try Coordinate(latitude: 1, longitude: 2),
            attributes: Attributes(kind: "beach", link: "https://a.example/\"\u{301}"), created: 1, updated: 1)
        #expect(document(.gpx, [landmark]).firstRange(of: Array("/&quot;\u{301}\"/>".utf8)) != nil)
    }

    @Test("CSV keeps all attributes; GPX keeps names, positions, kinds and links")
    func others() throws {
        let all = try landmarks(300)
        let table = try SourceFormat.auto.rows(in: document(.csv, all, isMeasured: true))
        #expect(try table.rows.map(\.draft) == drafts(all) && table.rejected.isEmpty)
        #expect(table.rows.map(\.key) == all.map(\.id.description))
        let waypoints = try SourceFormat.auto.rows(in: document(.gpx, all))
        #expect(waypoints.format == "gpx" && waypoints.rejected.isEmpty)
        let wanted = try all.map {
            try LandmarkDraft(name: $0.name, coordinate: $0.coordinate, kind: $0.kind, link: $0.link)
        }
        #expect(waypoints.rows.map(\.draft) == wanted)
    }

    @Test("what a form forbids becomes a space, and an empty list is a whole document")
    func strange() throws {
        var landmark = try #require(try landmarks(1).first)
        landmark.name = "a\u{1}b\u{ffff}\u{9b}c"
        let kml = String(decoding: document(.kml, [landmark]), as: UTF8.self)
        #expect(kml.contains("<name>a b &#155;c</name>") && !kml.contains("<Data name=\"user\">"))
        let csv = String(decoding: document(.csv, [landmark]), as: UTF8.self)
        #expect(csv.contains(",\"a b\u{ffff} c\",") && csv.hasSuffix("\r\n") && csv.contains("\"\"2\"\""))
        for format in [SourceFormat.kml, .gpx, .csv] {
            let form = try #require(ListForm(rawValue: format.name))
            #expect(try format.rows(in: document(form, [])).rows.isEmpty)
        }
        let header = String(decoding: document(.csv, [], isMeasured: true), as: UTF8.self)
        #expect(
            header == "id,name,lat,lng,kind,link,user,source,rating,ratings,address,phone,opening_hours,notes,version,"
                + "rev,created,updated,distance_m,bearing_deg\r\n")
    }

    @Test("lists are answered in each form that is asked for")
    func overHTTP() async throws {
        try await withStage { stage, client in
            for (place, name) in ["Bondi", "Manly"].enumerated() {
                let here = try Coordinate(latitude: -33.5 - Double(place), longitude: 151.2)
                _ = try await client.add(try LandmarkDraft(name: name, coordinate: here))
            }
            _ = try await client.list(.byName, limit: 1)
            for form in [ListForm.kml, .gpx, .csv] {
                let format = try #require(SourceFormat(name: form.rawValue))
                let list = try await stage.ask("GET", "/v1/landmarks?sort=name&format=\(form.rawValue)")
                #expect(list.headers["content-type"] == form.contentType)
                #expect(
                    list.headers["content-disposition"] == "attachment; filename=\"landmarks.\(form.rawValue)\"")
                #expect(try format.rows(in: Array(list.text.utf8)).rows.map(\.draft.name) == ["Bondi", "Manly"])
                let near = try await stage.ask(
                    "GET", "/v1/near?lat=-34.5&lng=151.2&limit=1", headers: ["accept": form.contentType])
                #expect(try format.rows(in: Array(near.text.utf8)).rows.map(\.draft.name) == ["Manly"])
                #expect(near.headers["waymark-cursor"]?.isEmpty == false)
            }
            let json = try await stage.ask("GET", "/v1/near?lat=1&lng=2&format=json", headers: ["accept": "text/csv"])
            #expect(json.headers["content-type"] == "application/json")
            let refused = try await stage.ask("GET", "/v1/landmarks?format=xml")
            #expect(refused.status == 422 && refused.text.contains("json, geojson, kml, gpx or csv"))
        }
    }
}
