// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The page while the service cannot be reached.
@Suite(.inTurn, .inBrowser, .serialized)
struct OfflineTests {
    @Test
    func opensWithTheLastResult() async throws {
        try await withHarbour { stage, browser in
            try await browser.wait("all that is kept", "document.documentElement.dataset.offline === 'ready'")
            stage.query.withLock { $0 }.slay()
            try await browser.wait("the loss", "document.querySelector('#live').dataset.state === 'reconnecting'")
            #expect(try await browser.value("return document.querySelector('#live').textContent === 'Reconnecting…'"))

            try await browser.open("about:blank")
            try await browser.open("\(stage.address)/#at=12/-33.86/151.21")
            try await browser.wait(
                "the word", "document.querySelector('#live')?.textContent.startsWith('Offline: the last result, of ')")
            try await stage.listed(5)

            stage.query.withLock { $0 = (try? MapStage.startQuery(stage.directory, port: stage.port)) ?? $0 }
            try await stage.awaitService()
            try await browser.wait("the live page", "document.querySelector('#live').textContent.startsWith('Live')")
            try await stage.add("Back again", -33.86, 151.21)
            try await stage.listed(6)
        }
    }
}
