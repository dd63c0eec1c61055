// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

@Suite(.inTurn, .inBrowser, .serialized)
struct FenceTests {
    private static let dialog = "document.querySelector('#dialog')"

    private static func press(_ browser: Browser, _ button: String, in box: String) async throws {
        try await browser.wait(
            button,
            """
            [...document.querySelectorAll(arguments[0] + ' button')].some((each) => each.textContent === arguments[1]
              && !each.disabled)
            """, box, button)
        try await browser.run(
            """
            [...document.querySelectorAll(arguments[0] + ' button')]
              .find((each) => each.textContent === arguments[1]).click()
            """, box, button)
    }

    @Test
    func anAreaIsKeptCountedAndWatched() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            try await browser.run("document.querySelector('#area').click()")
            // The tool's script is loaded at its first use, and the map takes no corners before.
            try await browser.wait("the tool", "document.querySelector('#area').ariaPressed === 'true'")
            for (east, south) in [(-120.0, -120.0), (120, -120), (120, 120), (-120, 120)] {
                try await browser.pressMap(east, south)
            }
            try await Self.press(browser, "Keep", in: "#task")
            try await browser.wait("the form", "\(Self.dialog)?.querySelector('input')")
            try await browser.run("document.querySelector('#dialog input').focus()")
            try await browser.type("Harbour")
            try await browser.press(.enter)
            // The Opera House and Luna Park.
            let isCount = "document.querySelector('#task').innerText.includes(arguments[0])"
            try await browser.wait("the count", isCount, "2 landmarks")
            #expect(try await browser.value("return document.querySelector('#task').innerText.includes('Harbour')"))
            #expect(try await stage.ask("GET", "/v1/fences/Harbour").text.contains(#""user":"Maya""#))

            let isTold = "document.querySelector('#notice').innerText.includes(arguments[0])"
            let id = try await stage.add("Kite", -33.86, 151.21)
            try await browser.wait("who comes", isTold, "Kite entered Harbour.")
            try await browser.wait("the greater count", isCount, "3 landmarks")
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["lat": -33.0, "lng": 151.0])
            try await browser.wait("who leaves", isTold, "Kite left Harbour.")
            try await browser.wait("the smaller count", isCount, "2 landmarks")
            if let path = ProcessInfo.processInfo.environment["WAYMARK_BROWSER_PICTURES"] {
                try await browser.picture("\(path)/fence.png")
            }

            let isDrawn = "document.querySelector('#map canvas[data-layer=overlay]').width > 0"
            #expect(try await browser.value("return \(isDrawn)"))

            // Another person's.
            let box: [String: any Sendable] = ["name": "West", "within": "-34.2,150.9,-33.6,151.21"]
            #expect(try await stage.ask("POST", "/v1/fences", user: "bob", box).status == 201)
            try await Self.press(browser, "Kept areas", in: "#task")
            try await browser.wait("the list", "\(Self.dialog)?.innerText.includes('West')")
            try await browser.wait("its count", "\(Self.dialog).innerText.includes('1 landmark')")
            try await Self.press(browser, "West", in: "#dialog")
            try await browser.wait("the other", "document.querySelector('#task').innerText.includes('West')")
            try await Self.press(browser, "Kept areas", in: "#task")
            try await browser.wait("the list", "\(Self.dialog)?.innerText.includes('Harbour')")
            try await Self.press(browser, "Remove", in: "#dialog")
            try await browser.wait("one row less", "!\(Self.dialog).innerText.includes('Harbour')")
            #expect(try await stage.ask("GET", "/v1/fences/Harbour").status == 404)
            try await Self.press(browser, "Close", in: "#dialog")
            try await Self.press(browser, "Done", in: "#task")
            try await browser.wait("the end", "document.querySelector('#task').hidden")
            try await browser.wait("nothing drawn", "!(\(isDrawn))")
            try await stage.expectNoComplaints()
        }
    }
}
