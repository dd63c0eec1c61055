// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

@Suite(.inTurn, .inBrowser, .serialized)
struct OpenNowTests {
    /// Without it a debug build takes seconds to load the gazetteer.
    private static let zone = "places:\n  zone: Australia/Sydney\n"

    @Test
    func theListSaysWhatIsOpenAndShowsOnlyThatWhenAsked() async throws {
        try await withMap(settings: Self.zone) { stage in
            let browser = stage.browser
            for (name, hours) in [("Kiosk", "24/7"), ("Ruin", "off"), ("Boat", "\"on request\"")] {
                let body: [String: any Sendable] = ["name": name, "lat": -33.86, "lng": 151.21, "opening_hours": hours]
                #expect(try await stage.ask("POST", "/v1/landmarks", body).status == 201)
            }
            try await stage.add("Beach", -33.86, 151.21)
            try await stage.openPage("#at=14/-33.86/151.21", listing: 4)
            for (name, state) in [("Kiosk", "open"), ("Ruin", "closed"), ("Boat", "hours unknown (on request)")] {
                try await browser.wait(
                    "\(name)'s state",
                    """
                    [...document.querySelectorAll('#list button')].some(each => each.innerText.includes(arguments[0])
                      && each.innerText.includes(arguments[1]))
                    """, name, state)
            }
            try await browser.choose("Open now")
            try await stage.listed(1)
            try await browser.wait("the open one", "document.querySelector('#list').innerText.includes('Kiosk')")
            try await browser.wait("the address", "location.hash.includes('open=now')")
            // A link to this view opens it so.
            try await browser.open("about:blank")
            try await stage.openPage("#at=14/-33.86/151.21&open=now", listing: 1)
            // Whoever opens or closes it meanwhile is seen.
            let id = try #require(try await stage.landmarks().first { $0.name == "Ruin" }).id
            #expect(try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["opening_hours": "24/7"]).status == 200)
            try await stage.listed(2)
            try await browser.run("[...document.querySelectorAll('#list button')].at(-1).click()")
            try await browser.wait(
                "the state in the detail", "document.querySelector('#detail dl')?.innerText.match(/Now\\s+open/)")
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func pinsThatAreNotKnownToBeOpenArePale() async throws {
        try await withMap(settings: Self.zone) { stage in
            let browser = stage.browser
            for (name, lng, hours) in [("Kiosk", 151.21, "24/7"), ("Ruin", 151.22, "off")] {
                let body: [String: any Sendable] = ["name": name, "lat": -33.86, "lng": lng, "opening_hours": hours]
                #expect(try await stage.ask("POST", "/v1/landmarks", body).status == 201)
            }
            try await stage.openPage("#at=14/-33.86/151.21", listing: 2)
            // Kiosk is at the centre, and Ruin 116 pixels east of it; the first canvas has the land.
            let ink = """
                [0, 116].map((east) => [...document.querySelectorAll('#map canvas')].slice(1).reduce((most, each) => Math.max(most,
                  each.getContext('2d').getImageData(each.width / 2 + east, each.height / 2, 1, 1).data[3]), 0)).join() === arguments[0]
                """
            try await browser.wait("two pins", ink, "255,255")
            try await browser.choose("Open now")
            try await stage.listed(1)
            try await browser.wait("a pale one", ink, "255,89")
            #expect(
                try await browser.value(
                    "return document.querySelector('#count').textContent.includes('not known to be open')"))
        }
    }
}
