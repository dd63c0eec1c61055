// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import TestTurns
import TestWeb
import Testing

@testable import Ingest

@Suite(.inShortTurn, .timeLimit(.minutes(5)))
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
        (["Location: ftp://127.0.0.1/"], "it leads to a ftp: URL"), ([], "it names no address"),
        (["Location: http://"], "its address is not a URL"),
    ])
    func leadsNowhereElse(headers: [String], why: String) async throws {
        try await TestServer.with({ _, _ in .message("302 Found", headers) }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .redirectRefused(why))
            #expect(error?.reason.description == "A redirect was not followed: \(why).")
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
