// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import TestWeb
import Testing

/// The tasks that need a place on the map, by keyboard alone.
@Suite(.inTurn, .inBrowser, .serialized)
struct MapKeyboardTests {
    private static let isAsking = "document.querySelector('#dialog')?.open"

    private static let isAt = "Math.abs(Number(location.hash.split('/')[1]) - Number(arguments[0])) < 0.001"

    /// The centre of the map, as the address says it.
    private func centre(_ browser: Browser) async throws -> (lat: Double, lng: Double) {
        let hash: String = try await browser.value("return location.hash")
        let parts = hash.split(separator: "&")[0].split(separator: "/").dropFirst().compactMap { Double($0) }
        guard parts.count == 2 else { throw BrowserError("the address has no centre: \(hash)") }
        return (parts[0], parts[1])
    }

    private func move(_ key: Key, _ browser: Browser) async throws -> (lat: Double, lng: Double) {
        let before: String = try await browser.value("return location.hash")
        try await browser.press(key)
        try await browser.wait("another view", "location.hash !== arguments[0]", before)
        return try await centre(browser)
    }

    @Test
    func onesPositionIsSetByHandWhenItIsRefused() async throws {
        try await withHarbour { stage, browser in
            let descriptor: [String: any Sendable] = ["name": "geolocation"]
            try await browser.command("Browser.setPermission", ["permission": descriptor, "setting": "denied"])
            try await browser.choose("My position")
            try await browser.wait("the form", Self.isAsking)
            try await browser.pressControl("a")
            try await browser.type("-33.889967")
            try await browser.tab(to: "Longitude")
            try await browser.pressControl("a")
            try await browser.type("151.27644")
            try await browser.press(.enter)
            // The map is there, and the list is that of what is near.
            try await browser.wait("the place", Self.isAt, "-33.889967")
            try await browser.wait(
                "the nearest", "document.querySelector('#list .name')?.textContent === 'Bondi Beach'")
            #expect(try await browser.value("return document.querySelector('#locate').ariaPressed") == "true")
            #expect(try await browser.value("return document.querySelector('#notice').innerText.includes('-33.88997')"))
            try await browser.choose("My position")
            try await browser.wait("its end", "document.querySelector('#locate').ariaPressed === 'false'")
        }
    }

    @Test
    func onesPositionIsAskedFor() async throws {
        try await withHarbour { stage, browser in
            let descriptor: [String: any Sendable] = ["name": "geolocation"]
            try await browser.command("Browser.setPermission", ["permission": descriptor, "setting": "granted"])
            try await browser.command(
                "Emulation.setGeolocationOverride", ["latitude": -33.889967, "longitude": 151.27644, "accuracy": 30])
            try await browser.choose("My position")
            try await browser.wait("the place", Self.isAt, "-33.889967")
            try await browser.wait(
                "the nearest", "document.querySelector('#list .name')?.textContent === 'Bondi Beach'")
        }
    }

    @Test
    func anAreaIsDrawnAndWatched() async throws {
        try await withHarbour { stage, browser in
            try await browser.choose("Watch area")
            try await browser.tab(to: "Map", isBackward: true)
            try await browser.press(.enter)
            let first = try await centre(browser)
            let second = try await move(.right, browser)
            try await browser.press(.enter)
            let third = try await move(.down, browser)
            try await browser.press(.enter)
            try await browser.choose("Watch")
            try await browser.wait(
                "the answer", "document.querySelector('#notice').innerText.startsWith('The area is watched.')")
            #expect(try await browser.value("return document.querySelector('#area').ariaPressed") == "true")

            let inside = ((first.lat + second.lat + third.lat) / 3, (first.lng + second.lng + third.lng) / 3)
            let id = try await stage.add("Kite", inside.0, inside.1)
            try await browser.wait(
                "the message", "document.querySelector('#notice').innerText.includes('Kite was added in the area.')")
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["lat": -33.0, "lng": 151.0])
            try await browser.wait(
                "the next message", "document.querySelector('#notice').innerText.includes('Kite left the area.')")
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["lat": inside.0, "lng": inside.1])
            try await browser.wait(
                "the last message", "document.querySelector('#notice').innerText.includes('Kite entered the area.')")
            try await browser.choose("Watch area")
            try await browser.wait("its end", "document.querySelector('#area').ariaPressed === 'false'")
        }
    }

    @Test
    func whatLiesAtOneSpotIsListed() async throws {
        try await withMap { stage in
            let browser = stage.browser
            for name in ["Ground floor", "First floor", "Second floor"] { try await stage.add(name, -33.86, 151.21) }
            try await stage.add("Elsewhere", -33.85, 151.25)
            try await stage.openPage("#at=14/-33.86/151.21", listing: 4)
            try await browser.tab(to: "Map")
            // Once the pins have come.
            try await browser.wait(
                "the tile", "performance.getEntriesByType('resource').some(each => each.name.includes('/v1/tiles/'))")
            // Until the pins are drawn, there is nothing at the centre.
            let isListed = "document.querySelector('#count').textContent.startsWith('At this spot: 3')"
            for _ in 0..<60 {
                try await browser.run("document.querySelector('#map').focus()")
                try await browser.press(.enter)
                if try await browser.value("return new Promise(done => setTimeout(() => done(\(isListed)), 700))") {
                    break
                }
            }
            try await stage.listed(3)
            #expect(try await browser.focus().name.contains("floor"))
            try await browser.press(.enter)
            try await browser.wait(
                "the landmark", "document.querySelector('#detail h2')?.textContent.includes('floor')")
            try await browser.press(.escape)
            try await browser.choose("Show all again")
            try await stage.listed(4)
        }
    }
}
