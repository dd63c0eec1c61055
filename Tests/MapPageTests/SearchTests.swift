// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The search reaches the map and the list, and follows what others change.
@Suite(.inTurn, .inBrowser, .serialized)
struct SearchTests {
    @Test
    func newMatchesAppearWhileTheTextStands() async throws {
        try await withHarbour { stage, browser in
            try await browser.run("document.querySelector('#query').focus()")
            try await browser.type("beach")
            try await stage.listed(3)
            let told: String = try await browser.value("return document.querySelector('#count').textContent")
            #expect(told == "Found: 3 landmarks")
            let id = try await stage.add("Clovelly Beach", -33.913, 151.267)
            try await stage.listed(4)
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["name": "Clovelly Pool"])
            try await stage.listed(3)
            #expect(try await browser.value("return document.activeElement.id") == "query")
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func aHitIsShownOnTheMap() async throws {
        try await withHarbour("#at=2/20/20") { _, browser in
            try await browser.run("document.querySelector('#query').focus()")
            try await browser.type("manly")
            try await browser.press(.enter)
            try await browser.wait("it", "document.querySelector('#detail h2')?.textContent === 'Manly Beach'")
            try await browser.wait("its place", "/^#at=14.-33[.]797[0-9]*.151[.]288/.test(location.hash)")
        }
    }

    @Test
    func aTownIsShownAndTheListIsAboutIt() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Opera House", -33.8568, 151.2153)
            try await stage.openPage("#at=14/-33.86/151.21", listing: 1)
            try await browser.run("document.querySelector('#query').focus()")
            try await browser.type("patiala")
            try await browser.wait("the town", "document.querySelector('#places button')")
            try await browser.press(.enter)
            try await browser.wait("its place", "location.hash.includes('at=12/30.3')")
            try await browser.wait("the whole list", "document.querySelector('#count').textContent === '1 landmark'")
            #expect(try await browser.value("return document.querySelector('#query').value") == "")
            #expect(try await browser.value("return document.querySelector('#places').hidden"))
        }
    }
}
