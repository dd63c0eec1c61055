// SPDX-License-Identifier: Apache-2.0

import Foundation
import MapPage
import Settings
import TestTurns
import Testing

@testable import Web

/// The tile server that the configuration may name: its text gets into a header and into the page.
@Suite(.inShortTurn)
struct TileServerTests {
    @Test(arguments: [
        ("https://tile.example/{z}/{x}/{y}.png", "https://tile.example"),
        ("https://tile.example:8443/a/{z}/{y}/{x}-2x?key=1", "https://tile.example:8443"),
        ("http://127.0.0.1:8080/{z}/{x}/{y}", "http://127.0.0.1:8080"),
        ("http://localhost/{z}-{x}-{y}", "http://localhost"),
    ])
    func isTakenWithItsOrigin(url: String, origin: String) throws {
        #expect(try TileServer(url: url, attribution: "© Example").origin == origin)
    }

    @Test(arguments: [
        ("http://tile.example/{z}/{x}/{y}", TileServer.Problem.url),
        ("http://127.0.0.1.example/{z}/{x}/{y}", .url), ("http://localhost.example/{z}/{x}/{y}", .url),
        ("ftp://tile.example/{z}/{x}/{y}", .url), ("javascript:alert(1)/{z}/{x}/{y}", .url), ("", .url),
        ("https://tile.example/{z}/{x}/{y};script-src *", .url), ("https://tile.example/{z}/{x}/{y} *", .url),
        ("https://tile.example/{z}/{x}/{y},b", .url), ("https://tile.example/{z}/{x}/{y}\"", .url),
        ("https://tile.example/{z}/{x}/{y}'", .url), ("https://tile.example/{z}/{x}/{y}<b>", .url),
        ("https://tile.example/{z}/{x}/{y}\r\nA: b", .url), ("https://tilé.example/{z}/{x}/{y}", .url),
        ("https://a@tile.example/{z}/{x}/{y}", .url),
        ("https://tile.example/{z}/{x}/{y}/" + String(repeating: "a", count: 500), .url),
        ("https://{z}.example/{x}/{y}", .host), ("https:///{z}/{x}/{y}", .host),
        ("https://tile.example:0/{z}/{x}/{y}", .host),
        ("https://tile.example:99999/{z}/{x}/{y}", .host), ("https://a:1:2/{z}/{x}/{y}", .host),
        ("https://a%20b/{z}/{x}/{y}", .host), ("https://.example/{z}/{x}/{y}", .host),
        ("https://tile.example/{z}/{x}", .places), ("https://tile.example", .places),
        ("https://tile.example/{z}/{x}/{y}/{y}", .places), ("https://tile.example/{s}/{z}/{x}/{y}", .places),
        ("https://tile.example/{z}/{x}/{y}}", .places), ("https://tile.example/{{z}z}/{x}/{y}", .places),
    ])
    func isRefusedWithWhatIsWrong(url: String, problem: TileServer.Problem) {
        #expect(throws: problem) { try TileServer(url: url, attribution: "© Example") }
    }

    @Test(arguments: ["", "a\nb", "a\u{0}b", String(repeating: "a", count: 201)])
    func theAttributionIsAText(text: String) {
        #expect(throws: TileServer.Problem.attribution) {
            try TileServer(url: "https://tile.example/{z}/{x}/{y}", attribution: text)
        }
    }

    @Test
    func onlyAConfiguredOriginIsInThePolicy() throws {
        let server = try TileServer(url: "https://tile.example/{z}/{x}/{y}?a=1&b=2", attribution: "\"<img src=x>")
        #expect(PageAsset.contentSecurityPolicy(tiles: server).contains("img-src 'self' data: https://tile.example; "))
        #expect(!PageAsset.contentSecurityPolicy(tiles: nil).contains("http"))
        let (plain, page) = (try #require(PageAsset.at("/")), try #require(PageAsset.at("/", tiles: server)))
        #expect(plain.etag != page.etag)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(
            text.contains(
                "data-tiles=\"https://tile.example/{z}/{x}/{y}?a=1&amp;b=2\" data-attribution=\"&quot;&lt;img src=x&gt;\""
            ))
        #expect(!String(decoding: plain.body, as: UTF8.self).contains("data-tiles"))
    }

    /// For Swift a quote and a combining character are one `Character`, for a browser two.
    @Test
    func aQuoteIsEscapedWhateverFollowsIt() throws {
        let server = try TileServer(url: "https://tile.example/{z}/{x}/{y}", attribution: "a\"\u{301}b")
        let page = try #require(PageAsset.at("/", tiles: server))
        #expect(page.body.firstRange(of: Array("data-attribution=\"a&quot;\u{301}b\"".utf8)) != nil)
    }
}
