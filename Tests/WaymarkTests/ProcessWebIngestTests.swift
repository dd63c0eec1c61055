// SPDX-License-Identifier: Apache-2.0

import TestTurns
import TestWeb
import Testing

@Suite("Ingest from the web, as processes", .inTurn)
struct ProcessWebIngestTests {
    private static let places = ProcessRow.file([ProcessRow(name: "Bondi Beach", lat: -33.8910, lng: 151.2777)])

    @Test("over TLS: SSL_CERT_FILE sets the trusted authorities, and an untrusted server is refused by name")
    func authority() async throws {
        try await withProcessPair { pair in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.places.utf8.count)\r\n\r\n"
            let server = try await TLSServer(answer: head + Self.places)
            let refused = try await pair.waymark("ingest", server.url(), "--source", "web")
            #expect(refused.status == 1 && refused.err.count == 1, "\(refused.err)")
            #expect(refused.err.first?.contains("The server's certificate is not trusted (") == true)
            for variable in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
                let taken = try await ProcessCommandTests.text(
                    pair.waymark(
                        "ingest", server.url(), "--source", variable == "SSL_CERT_FILE" ? "one" : "two",
                        environment: [variable: server.authority]))
                #expect(taken.last?.contains(": 1 added,") == true, "\(taken)")
            }
        }
    }

    @Test("through a proxy from the environment")
    func proxy() async throws {
        try await withProcessPair { pair in
            try await TestServer.with({ _, _ in .message("200 OK", [], Self.places) }) { proxy in
                let taken = try await ProcessCommandTests.text(
                    pair.waymark(
                        "ingest", "http://places.invalid/all.json", "--source", "web",
                        environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"]))
                #expect(taken.last?.contains(": 1 added,") == true, "\(taken)")
                #expect(proxy.requests.map(\.uri) == ["http://places.invalid/all.json"])
            }
        }
    }
}
