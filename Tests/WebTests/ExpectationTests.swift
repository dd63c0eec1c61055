// SPDX-License-Identifier: Apache-2.0

import TestTurns
import TestWeb
import Testing

/// Clients that wait for word before they send a body (RFC 9110, 10.1.1). curl does so with larger ones, for a second.
@Suite(.inTurn)
struct ExpectationTests {
    private static let body = #"{"name":"Quay","lat":1,"lng":2}"#
    private static let add = "POST /v1/landmarks HTTP/1.1"

    /// Sends the head of a request.
    ///
    /// - Parameter line: its first line; whole requests may stand before it.
    private func begin(
        _ stage: WebStage, _ line: String = add, expect: String = "100-continue", type: String = "application/json",
        length: Int = body.utf8.count
    ) throws -> SlowRequest {
        try SlowRequest(
            port: stage.port,
            """
            \(line)\r
            host: 127.0.0.1:\(stage.port)\r
            waymark-user: ann\r
            content-type: \(type)\r
            content-length: \(length)\r
            expect: \(expect)\r
            \r

            """)
    }

    @Test(arguments: ["100-continue", "100-Continue"])
    func theWordComesBeforeTheBodyAndTheAnswerAfterIt(expect: String) async throws {
        try await withStage { stage, _ in
            let request = try begin(stage, expect: expect)
            #expect(await request.heard() == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(await request.heard(after: Self.body).hasPrefix("HTTP/1.1 201 "))
            // The connection goes on.
            let next = "GET /v1/kinds HTTP/1.1\r\nhost: 127.0.0.1:\(stage.port)\r\n\r\n"
            #expect(await request.end(next).hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test
    func behindAnotherRequestTheWordComesInItsTurn() async throws {
        try await withStage { stage, _ in
            let first = "GET /v1/distance?from=0,0&to=0,1 HTTP/1.1\r\nhost: 127.0.0.1:\(stage.port)\r\n\r\n"
            let request = try begin(stage, first + Self.add)
            var told = ""
            while told.firstRange(of: "100 Continue\r\n\r\n") == nil {
                let more = await request.heard()
                if more.isEmpty { break }
                told += more
            }
            #expect(told.hasPrefix("HTTP/1.1 200 ") && told.hasSuffix("}\nHTTP/1.1 100 Continue\r\n\r\n"), "\(told)")
            #expect(await request.end(Self.body).hasPrefix("HTTP/1.1 201 "))
        }
    }

    /// Nobody could tell whether the body follows or the next request, so the connection ends.
    @Test
    func aRefusalComesInPlaceOfTheWord() async throws {
        let json = "application/json"
        try await withStage { stage, _ in
            for (line, type, length, status) in [
                ("POST /v1/nothing HTTP/1.1", json, 9, 404), ("POST /v1/near HTTP/1.1", json, 9, 405),
                // The key of a phone is looked at before its report comes.
                ("POST /v1/track/x/overland HTTP/1.1", json, 1_024, 401),
                (Self.add, "text/plain", 9, 415), (Self.add, json, 256 * 1_024 + 1, 413),
                (Self.add, json, 1 << 40, 413),
            ] {
                let request = try begin(stage, line, type: type, length: length)
                let answer = await request.heard()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                #expect(answer.lowercased().firstRange(of: "connection: close\r\n") != nil, "\(answer)")
                #expect(await request.end("").isEmpty)
            }
        }
    }

    @Test
    func aStrangerIsRefusedInPlaceOfTheWord() async throws {
        try await withStage(accounts: true) { stage, _ in
            let answer = try await begin(stage).end("")
            #expect(answer.hasPrefix("HTTP/1.1 401 "))
        }
    }

    @Test(arguments: ["200-ok", "100-continue, later"])
    func nothingElseCanBeExpected(expect: String) async throws {
        try await withStage { stage, _ in
            let answer = try await begin(stage, expect: expect).end(Self.body)
            #expect(answer.hasPrefix("HTTP/1.1 417 ") && answer.contains(#""code":"expectation_failed""#), "\(answer)")
        }
    }

    /// A client of HTTP/1.0 could not read the word, and one that sends its body at once has no use for it.
    @Test
    func whoDoesNotWaitGetsTheAnswerAlone() async throws {
        try await withStage { stage, _ in
            let old = try begin(stage, "POST /v1/landmarks HTTP/1.0")
            #expect(await old.end(Self.body).hasPrefix("HTTP/1.0 201 "))
            let host = "host: 127.0.0.1:\(stage.port)\r\nexpect: 100-continue\r\nconnection: close\r\n"
            let whole =
                "\(Self.add)\r\n\(host)waymark-user: ann\r\ncontent-type: application/json\r\n"
                + "content-length: \(Self.body.utf8.count)\r\n\r\n\(Self.body)"
            #expect(try await PlainHTTP.raw(whole, port: stage.port).hasPrefix("HTTP/1.1 201 "))
            let bare = "GET /v1/kinds HTTP/1.1\r\n\(host)\r\n"
            #expect(try await PlainHTTP.raw(bare, port: stage.port).hasPrefix("HTTP/1.1 200 "))
        }
    }
}
