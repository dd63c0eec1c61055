// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

@Suite(.inTurn, .inBrowser, .serialized)
struct FirstVisitTests {
    /// The worker that keeps the page comes last, and must not fetch again what the page has.
    @Test
    func nothingIsFetchedTwice() async throws {
        try await withMap(settings: "log:\n  level: debug\n") { stage in
            try await stage.addHarbour()
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            try await stage.browser.wait("all that is kept", "document.documentElement.dataset.offline === 'ready'")
            let log = try String(contentsOfFile: "\(stage.directory)/query.log", encoding: .utf8)
            var sent: [String: Int] = [:]
            for line in log.split(separator: "\n") where line.contains("web request") {
                guard let path = line.firstMatch(of: /path["=: ]+(\/[^\s"]*)/)?.1, line.contains(/status["=: ]+200/)
                else { continue }
                sent[String(path), default: 0] += 1
            }
            let page = sent.filter { $0.key == "/" || $0.key.hasPrefix("/assets/") || $0.key.hasPrefix("/v1/tiles/") }
            #expect(page.count > 8, "\(sent)")
            let modules = page.keys.filter { $0.wholeMatch(of: /\/assets\/[a-z]+\.js/) != nil }
            // Without Leaflet its name has no digest.
            #expect(modules.filter { !$0.contains("leaflet") } == [])
            #expect(page.filter { $0.value > 1 }.isEmpty)
            // What was handed over is kept as if the worker had fetched it.
            var tiles: [String] = []
            for path in sent.keys where path.contains("/v1/tiles/") { tiles.append(path) }
            tiles.sort()
            func kept() async throws -> [String] {
                try await stage.browser.value(
                    """
                    return caches.open('waymark-2').then(async (cache) => Promise.all((await cache.keys())
                      .map((each) => new URL(each.url).pathname).filter((path) => path.startsWith('/v1/tiles/'))
                      .map(async (path) => (await (await cache.match(path)).arrayBuffer()).byteLength > 1 ? path : 'empty')))
                    """)
            }
            // An answer that came through the worker is stored some seconds later.
            #expect(!tiles.isEmpty)
            try await until("all tiles are kept: \(tiles)") { try await kept().sorted() == tiles }
        }
    }
}
