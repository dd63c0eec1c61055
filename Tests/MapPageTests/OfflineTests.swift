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
                "the word", "document.querySelector('#live')?.textContent === 'Offline'")
            #expect(
                try await browser.value(
                    "return document.querySelector('#behind').textContent.startsWith('Offline: the last result, of ')"))
            try await stage.listed(5)

            stage.query.withLock { $0 = (try? MapStage.startQuery(stage.directory, port: stage.port)) ?? $0 }
            try await stage.awaitService()
            try await browser.wait("the live page", "document.querySelector('#live').textContent.startsWith('Live')")
            try await stage.add("Back again", -33.86, 151.21)
            try await stage.listed(6)
        }
    }

    /// The last result of the last visit is a list of saved places, which needs no service.
    @Test
    func theLastResultIsSaved() async throws {
        try await withHarbour("#at=12/-33.86/151.21&q=beach", count: 3) { stage, browser in
            try await browser.wait(
                "what is kept", "JSON.parse(localStorage.getItem('waymark-saved'))?.landmarks.length === 3")
            try await browser.open("about:blank")
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            try await browser.choose("Menu")
            try await browser.choose("Saved places")
            try await stage.listed(3)
            try await browser.wait(
                "its name", "document.querySelector('#count').textContent.startsWith('“beach” · near')")
            try await browser.choose("Manly Beach")
            try await browser.wait("it", "document.querySelector('#detail h2')?.textContent === 'Manly Beach'")
            try await browser.press(.escape)
            try await browser.choose("Show all again")
            try await stage.listed(5)
        }
    }
}
