// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import TestWeb
import Testing

@testable import Web

/// Requests that are refused although a lenient reader would make something of them.
@Suite(.inTurn)
struct StrictRequestTests {
    private static let headers = ["content-type": "application/json", "waymark-user": "ann"]

    @Test
    func aParameterIsThereOnceAndADecimalNumber() async throws {
        try await withStage { stage, _ in
            for (query, word) in [
                ("lat=1&lat=2&lng=1", "twice"), ("lat=0x10&lng=1", "be a number"), ("lat=1&lng=nan", "be a number"),
                ("lat=1&lng=1&limit=1&limit=1", "twice"), ("lat=1&lng=1&within=0x1,0,5,5", "within"),
                ("lat=1&lng=1&user=a&user=b", "twice"), ("lat=1&lng=1&user=a%00b", "NUL"),
                ("lat=1&lng=1&kind=%00", "NUL"),
                ("lat=1&lng=1&source=%00", "NUL"), ("lat=1&lng=181", "longitude 181.0 is not within"),
                ("lat=1&lng=-180.5", "longitude -180.5 is not within"),
            ] {
                let answer = try await stage.ask("GET", "/v1/near?\(query)")
                #expect(answer.status == 422 && answer.text.contains(word), "\(query): \(answer.text)")
            }
            let path = "/v1/near?lat=1&lng=-180&kind=a&kind=b"
            #expect(try await stage.ask("GET", path).status == 200)
            #expect(try await stage.ask("GET", "/v1/near?lat=1&lng=%zz").status == 400)
            #expect(try await stage.ask("GET", "/v1/landmarks/%zz").status == 400)
        }
    }

    @Test
    func aBodyIsWholeJSONAndAsItSays() async throws {
        try await withStage { stage, _ in
            func post(_ body: String, _ more: [String: String] = [:]) async throws -> PlainHTTP.Answer {
                try await stage.ask(
                    "POST", "/v1/landmarks", headers: Self.headers.merging(more) { $1 }, body: body)
            }
            for body in [
                "", "{\"name\"", "no", #"{"name":"a\ud800b","lat":1,"lng":1}"#, #"{"name":"\udc00","lat":1,"lng":1}"#,
            ] {
                let answer = try await post(body)
                #expect(
                    answer.status == 400 && answer.json["code"] as? String == "bad_request", "\(body): \(answer.text)")
            }
            let whole = #"{"name":"a\ud83c\udfb5b","lat":1,"lng":1}"#
            #expect(try await post(whole, ["content-encoding": "gzip"]).status == 415)
            #expect(try await post(whole, ["content-type": "text/plain"]).status == 415)
            #expect(try await post(#"{"name":"a","lat":1,"lng":181}"#).status == 422)
            #expect(try await post(#"{"lat":1,"lng":1}"#).status == 422)
            let twice = try await post(#"{"name":"a","lat":1,"lng":1,"name":"b"}"#)
            #expect(twice.status == 422 && twice.text.contains("field name is there twice"), "\(twice.text)")
            #expect(try await post(String(repeating: " ", count: 300_000)).status == 413)
            #expect(try await post(whole, ["content-encoding": "identity"]).status == 201)
        }
    }

    @Test
    func aSecondHostIsRefused() async throws {
        try await withStage { stage, _ in
            let host = "127.0.0.1:\(stage.port)"
            for (hosts, status) in [([host], 200), ([host, "evil.example"], 400), ([host, host], 400), ([], 400)] {
                let lines = hosts.map { "Host: \($0)\r\n" }.joined()
                let answer = try await PlainHTTP.raw(
                    "GET /v1/kinds HTTP/1.1\r\n\(lines)Connection: close\r\n\r\n", port: stage.port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(hosts): \(answer)")
            }
            let broken =
                "POST /v1/landmarks HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"
            #expect(try await PlainHTTP.raw(broken, port: stage.port).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test
    func aHeaderIsThereOnce() async throws {
        try await withStage { stage, _ in
            for (more, status) in [
                ("", 201), ("waymark-user: bob\r\n", 422), ("idempotency-key: a\r\n", 201),
                ("idempotency-key: a\r\nIdempotency-Key: b\r\n", 422),
            ] {
                let body = #"{"name":"a","lat":1,"lng":1}"#
                let head =
                    "POST /v1/landmarks HTTP/1.1\r\nhost: 127.0.0.1:\(stage.port)\r\nconnection: close\r\n"
                    + "waymark-user: ann\r\ncontent-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n"
                let answer = try await PlainHTTP.raw("\(head)\(more)\r\n\(body)", port: stage.port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(more): \(answer)")
            }
        }
    }

    @Test
    func theDescriptionKnowsTheLongitudesThatAreTaken() {
        let described = WebRouter.routes.flatMap { $0.allParameters + $0.body }.filter { $0.name == "lng" }
        #expect(described.count >= 5 && described.allSatisfy { $0.jsonSchema == WebSchemas.longitude })
    }

    /// A block without data is an event to some clients: nothing ends the first one before an event has data.
    @Test
    func everyBlockOfTheStreamHasData() async throws {
        try await withStage { stage, _ in
            for path in ["/v1/changes?since=0", "/v1/changes?snapshot=true"] {
                let reader = try EventReader(port: stage.port, path)
                let events = try await reader.wait { $0.count > 1 }
                #expect(events.count > 1)
                #expect(reader.blocks.allSatisfy { $0.firstRange(of: "data: ") != nil }, "\(reader.blocks)")
                reader.cut()
            }
            #expect(EventText.opening.starts(with: "retry: ".utf8))
            #expect(String(decoding: EventText.opening, as: UTF8.self).firstRange(of: "\n\n") == nil)
        }
    }
}
