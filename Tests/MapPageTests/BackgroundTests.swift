// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import TestWeb
import Testing

/// The page over the pictures of a configured tile server.
@Suite(.inTurn, .inBrowser, .serialized)
struct BackgroundTests {
    @Test
    func thePicturesOfTheTileServerAreDrawnInsteadOfTheLand() async throws {
        let picture =
            "<svg xmlns='http://www.w3.org/2000/svg' width='256' height='256'><rect width='256' height='256' fill='red'/></svg>"
        let server = try await TestServer.answering("200 OK", ["Content-Type: image/svg+xml"], picture)
        let settings = """
            web:
              tiles:
                url: "http://127.0.0.1:\(server.port)/tile/{z}/{x}/{y}.svg"
                attribution: "© <b>Example</b> & others"

            """
        try await withMap(settings: settings) { stage in
            let browser = stage.browser
            try await stage.addHarbour()
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            try await browser.wait(
                "the pictures",
                """
                document.querySelectorAll('#map img.leaflet-tile-loaded').length > 3
                  && [...document.querySelectorAll('#map img')].every((each) => each.naturalWidth === 256)
                """)
            #expect(
                try await browser.value("return document.querySelector('.leaflet-control-attribution').textContent")
                    == "Leaflet | © <b>Example</b> & others")
            #expect(try await browser.value("return document.querySelector('.leaflet-control-attribution b') === null"))
            // There is no land below them.
            let loaded: [String] = try await browser.value(
                "return performance.getEntriesByType('resource').map((each) => each.name)")
            #expect(!loaded.contains { $0.contains("/assets/land") })
            let first = try #require(server.requests.first)
            #expect(first.uri.hasPrefix("/tile/12/") && first.headers.first(name: "referer") == "\(stage.address)/")
            // No other origin than this one.
            try await browser.run(
                "const i = new Image(); i.src = 'http://localhost:\(server.port)/other.svg'; document.body.append(i)")
            try await browser.wait("the refusal", "[...document.images].at(-1).complete")
            #expect(try await browser.value("return [...document.images].at(-1).naturalWidth") == 0)
            #expect(!server.requests.contains { $0.uri.hasPrefix("/other") })
            try await stage.expectRefusalOnly()
        }
        await server.stop()
    }
}

extension MapStage {
    /// The console was told of the picture that the policy refused, and of nothing else.
    fileprivate func expectRefusalOnly() async throws {
        let complaints = try await browser.complaints()
        #expect(
            !complaints.isEmpty && complaints.allSatisfy { $0.contains("Content Security Policy") }, "\(complaints)")
    }
}
