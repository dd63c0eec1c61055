// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The settings that the browser keeps.
@Suite(.inTurn, .inBrowser, .serialized)
struct SettingsTests {
    private static let names = "[...document.querySelectorAll('#list .name')].map(each => each.textContent).join('|')"
    private static let isMiles = "document.querySelector('#list .far')?.textContent.includes('mi')"

    @Test
    func theBestRatedWithinARadiusAndMilesAreKept() async throws {
        try await withHarbour { stage, browser in
            for (name, rating) in [("Opera House", 3.0), ("Luna Park", 5.0), ("Bondi Beach", 5.0)] {
                let id = try #require(try await stage.landmarks().first { $0.name == name }?.id)
                let answer = try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["rating": rating, "ratings": 100])
                #expect(answer.status == 200)
            }
            try await browser.choose("Menu")
            try await browser.wait("the settings", "document.querySelector('#dialog')?.open")
            #expect(try await browser.focus().name == "Order of the list")
            try await browser.type("Best")
            try await browser.tab(to: "Distances")
            try await browser.type("Mi")
            try await browser.tab(to: "Your name")
            try await browser.type("Zoë")
            try await browser.press(.enter)
            // Bondi is further than the 5 km of the beginning.
            try await stage.listed(2)
            #expect(try await browser.value("return \(Self.names)") == "Luna Park|Opera House")
            try await browser.wait("miles", Self.isMiles)
            try await browser.wait("the link", "location.hash.includes('order=rated&radius=5')")
            #expect(try await browser.value("return document.querySelector('#person').textContent") == "Z")
            #expect(try await browser.focus().name == "Menu")

            // The radius is at most 48 km.
            try await browser.press(.enter)
            try await browser.tab(to: "Best rated within")
            for _ in 0..<50 { try await browser.press(.right) }
            try await browser.press(.enter)
            try await stage.listed(5)
            try await browser.wait("the link", "location.hash.includes('radius=48')")

            // Another visit, by an address that says nothing of it.
            try await browser.open("about:blank")
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            try await browser.wait("the order", "document.querySelector('#order').value === 'rated'")
            try await browser.wait("the best", "\(Self.names).indexOf('Opera House') > 0")
            try await browser.wait("miles", Self.isMiles)
            let person: String = try await browser.value("return document.querySelector('#person').ariaLabel")
            #expect(person == "You are Zoë")
            try await stage.expectNoComplaints()
        }
    }
}
