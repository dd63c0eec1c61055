// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import TestTurns
import TestWeb
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct RedirectTests {
    private let fetcher = PatientFetcher()

    @Test(arguments: ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent"])
    func follows(status: String) async throws {
        try await TestServer.with({ head, _ in
            head.uri == "/here" ? .message("200 OK", [], "[]") : .message(status, ["Location: /here"])
        }) { server in
            let result = try await fetcher.fetch(server.url)
            #expect(result.text == "[]")
            #expect(server.requests.map(\.uri) == ["/data.json", "/here"])
        }
    }

    @Test
    func stopsInALoop() async throws {
        try await TestServer.with({ _, _ in .message("302 Found", ["Location: /data.json"]) }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .tooManyRedirects(limit: 5))
            #expect(error?.reason.description == "The server redirected more than 5 times: check the address.")
            #expect(server.requests.count == 6)
        }
    }

    @Test(arguments: [
        (["Location: file:///etc/passwd"], "it leads to a file: URL"),
        (["Location: ftp://127.0.0.1/"], "it leads to a ftp: URL"), ([], "the server named no address"),
        (["Location: http://"], "its address is not a URL"),
    ])
    func leadsNowhereElse(headers: [String], why: String) async throws {
        try await TestServer.with({ _, _ in .message("302 Found", headers) }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .redirectRefused(why))
            #expect(error?.reason.description == "A redirect was not followed: \(why).")
        }
    }

    /// Takes 127.0.0.1 for an address of the internet.
    private static func outside(_ text: String) -> AddressReach? { text == "127.0.0.1" ? .world : AddressReach(text) }

    private static func fetch(
        _ url: String, proxy: String? = nil, reach: @escaping @Sendable (String) -> AddressReach? = outside
    ) async throws -> FetchResult {
        var surroundings = SourceFetcher.Surroundings(
            sleep: { _ in }, random: { 0.5 }, now: { 0 }, proxy: proxy)
        surroundings.reach = reach
        return try await SourceFetcher(retry: RetryPolicy(attempts: 1), surroundings: surroundings)
            .fetch(FetchRequest(location: try SourceLocation(url)))
    }

    @Test("a redirect to this machine is refused before anything is sent", arguments: ["127.0.0.2", "localhost"])
    func staysOutside(host: String) async throws {
        let inner = try await TestServer(host: "127.0.0.2") { _, _ in .message("200 OK", [], "secret") }
        let location = "Location: http://\(host):\(inner.port)/"
        try await TestServer.with({ _, _ in .message("302 Found", [location]) }) { server in
            let error = await #expect(throws: FetchError.self) { try await Self.fetch(server.url) }
            #expect(error?.reason == PeerRule.refusal(host))
            #expect(server.requests.count == 1)
        }
        #expect(inner.requests.isEmpty)
        await inner.stop()
    }

    @Test("what a name leads to is judged when it is connected to, not the name")
    func judgesTheConnection() async throws {
        let inner = try await TestServer(host: "127.0.0.2") { _, _ in .message("200 OK", [], "secret") }
        let location = "Location: http://127.0.0.2:\(inner.port)/"
        try await TestServer.with({ _, _ in .message("302 Found", [location]) }) { server in
            // The name itself says nothing: the first question is about the redirect's address, the second about the
            // connection's.
            let asked = Recorder<String>()
            let error = await #expect(throws: FetchError.self) {
                try await Self.fetch(server.url) { text in
                    if text == "127.0.0.1" { return .world }
                    asked.add(text)
                    return asked.all.count == 1 ? nil : AddressReach(text)
                }
            }
            #expect(error?.reason == PeerRule.refusal("127.0.0.2"))
            #expect(asked.all == ["127.0.0.2", "127.0.0.2"])
        }
        #expect(inner.requests.isEmpty)
        await inner.stop()
    }

    @Test("a source on this machine may redirect within it")
    func staysInside() async throws {
        let inner = try await TestServer(host: "127.0.0.2") { _, _ in .message("200 OK", [], "[]") }
        let location = "Location: http://127.0.0.2:\(inner.port)/"
        try await TestServer.with({ _, _ in .message("302 Found", [location]) }) { server in
            let result = try await Self.fetch(server.url) { AddressReach($0) }
            #expect(result.text == "[]")
        }
        await inner.stop()
    }

    @Test("through a proxy an address that is written in the redirect is refused; names are the proxy's to judge")
    func throughAProxy() async throws {
        try await TestServer.with({ head, _ in
            head.uri == "http://data.example/"
                ? .message("302 Found", ["Location: http://other.example/"])
                : .message("302 Found", ["Location: http://169.254.169.254/latest/meta-data/"])
        }) { proxy in
            let error = await #expect(throws: FetchError.self) {
                try await Self.fetch(
                    "http://data.example/", proxy: "http://127.0.0.1:\(proxy.port)", reach: { AddressReach($0) })
            }
            #expect(error?.reason == PeerRule.refusal("169.254.169.254"))
            #expect(proxy.requests.map(\.uri) == ["http://data.example/", "http://other.example/"])
        }
    }

    @Test
    func neverLeavesTLS() throws {
        let start = try WebAddress("https://a.example/x")
        #expect(throws: FetchError.Reason.redirectRefused("it leads from https: to http:")) {
            try start.following("http://a.example/x")
        }
        #expect(try start.following("https://b.example/").url == "https://b.example/")
        #expect(try start.following("//b.example/y").url == "https://b.example/y")
        #expect(try WebAddress("http://a.example/x").following("https://a.example/x").url == "https://a.example/x")
    }

    @Test
    func credentialsStayWithTheirOrigin() throws {
        let start = try WebAddress("https://ann:secret@a.example/x/y")
        #expect(try start.following("z").url == "https://a.example/x/z")
        #expect(try start.following("/z").credentials == WebAddress.Credentials(user: "ann", password: "secret"))
        #expect(try start.following("https://A.example:443/z").credentials != nil)
        #expect(try start.following("https://b.example/z").credentials == nil)
        #expect(try start.following("https://a.example:8443/z").credentials == nil)
    }
}
