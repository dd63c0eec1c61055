// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import Landmarks
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import Web

@Suite("Lists as GeoJSON", .inTurn)
struct ListStreamTests {
    private func fill(_ client: WaymarkClient, _ count: Int) async throws {
        for start in stride(from: 0, to: count, by: 1_000) {
            _ = try await client.send(
                .with {
                    $0.ingest.source = "places"
                    $0.ingest.rows = (start..<min(count, start + 1_000)).map { number in
                        let draft = WireLandmarkDraft.with {
                            ($0.name, $0.attributes.kind) = ("place \(number)", "tea&coffee")
                            ($0.lat, $0.lng) = (Double(number % 80), Double(number % 170))
                        }
                        return WireSourceRow("\(number)", draft)
                    }
                })
        }
        // Until the query service has them all.
        _ = try await client.list(.byName, limit: 1)
    }

    private func next(_ document: [String: Any]) -> String? {
        let links = document["links"] as? [[String: Any]] ?? []
        return links.first { $0["rel"] as? String == "next" }?["href"] as? String
    }

    @Test("the document links to the page after it, to the last one")
    func links() async throws {
        try await withStage { stage, client in
            try await fill(client, 5)
            var path: String? = "/v1/landmarks?sort=name&limit=2&kind=tea%26coffee&format=geojson"
            var (names, pages): ([String], Int) = ([], 0)
            while let asked = path {
                let answer = try await stage.ask("GET", asked)
                #expect(answer.status == 200 && answer.headers["content-type"] == "application/geo+json")
                let features = answer.json["features"] as? [[String: Any]] ?? []
                names += features.compactMap { ($0["properties"] as? [String: Any])?["name"] as? String }
                path = next(answer.json)
                pages += 1
            }
            #expect(names == (0..<5).map { "place \($0)" } && pages == 3)
            // The link names the format, also if the header asked for it.
            let near = try await stage.ask(
                "GET", "/v1/near?lat=0&lng=0&limit=2", headers: ["accept": "application/geo+json"])
            let second = try await stage.ask("GET", try #require(next(near.json)))
            #expect((second.json["features"] as? [Any])?.count == 2)
        }
    }

    @Test("with a larger limit everything comes in one document, page by page")
    func stream() async throws {
        try await withStage { stage, client in
            try await fill(client, 2_050)
            for (limit, count, hasMore) in [("2000", 2_000, true), ("100000", 2_050, false)] {
                let question =
                    "GET /v1/landmarks?sort=name&format=geojson&limit=\(limit) HTTP/1.1\r\n"
                    + "host: 127.0.0.1:\(stage.port)\r\nconnection: close\r\n\r\n"
                let answer = try await PlainHTTP.raw(question, port: stage.port)
                #expect(answer.hasPrefix("HTTP/1.1 200"))
                let document = try #require(
                    try JSONSerialization.jsonObject(with: Data(Self.body(answer).utf8)) as? [String: Any])
                let features = document["features"] as? [[String: Any]] ?? []
                #expect(features.count == count && Set(features.compactMap { $0["id"] as? String }).count == count)
                #expect((next(document) != nil) == hasMore)
            }
            for (form, format) in [("kml", SourceFormat.kml), ("gpx", .gpx), ("csv", .csv)] {
                let question =
                    "GET /v1/landmarks?sort=name&format=\(form)&limit=100000 HTTP/1.1\r\n"
                    + "host: 127.0.0.1:\(stage.port)\r\nconnection: close\r\n\r\n"
                let body = try Self.body(try await PlainHTTP.raw(question, port: stage.port))
                let rows = try format.rows(in: Array(body.utf8))
                #expect(Set(rows.rows.map(\.draft.name)).count == 2_050 && rows.rejected.isEmpty)
                #expect(rows.rows.allSatisfy { $0.draft.kind == "tea&coffee" })
            }
            let refused = try await stage.ask("GET", "/v1/landmarks?limit=2000")
            #expect(refused.status == 422)
        }
    }

    /// The body of an answer in chunks (RFC 9112, 7.1).
    private static func body(_ answer: String) throws -> String {
        let bytes = Array(answer.utf8)
        let head = try #require(answer.range(of: "\r\n\r\n"))
        var place = answer[..<head.upperBound].utf8.count
        var body: [UInt8] = []
        while let end = bytes[place...].firstIndex(of: 13) {
            let digits = String(decoding: bytes[place..<end], as: UTF8.self)
            guard let size = Int(digits, radix: 16), size > 0, end + 2 + size <= bytes.count else { break }
            body += bytes[(end + 2)..<(end + 2 + size)]
            place = end + 2 + size + 2
            guard place < bytes.count else { break }
        }
        return String(decoding: body, as: UTF8.self)
    }
}
