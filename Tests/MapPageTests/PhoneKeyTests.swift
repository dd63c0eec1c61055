// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The keys of phones that move a landmark.
@Suite("Phones' keys in the page", .inTurn, .inBrowser, .serialized)
struct PhoneKeyTests {
    private struct Told: Decodable {
        /// The edge of the picture with its margin, in modules of the code.
        var size: Double
        /// The box around all dark modules.
        var dark: [Double]
        /// The edge of the picture on the screen.
        var pixels: Double
        var path: String
        /// The settings in the link for OwnTracks.
        var url: String
        var password: String
        /// Everything that a person may type into an app.
        var settings: [String]
    }

    private static let read = """
        const box = document.querySelector('#dialog'), svg = box.querySelector('svg'), code = svg.lastElementChild;
        const { x, y, width, height } = code.getBBox();
        const link = [...box.querySelectorAll('a')].find((each) => each.textContent === 'Open OwnTracks').getAttribute('href');
        const { url, password } = JSON.parse(atob(decodeURIComponent(link.split('inline=')[1])));
        return { size: svg.viewBox.baseVal.width, dark: [x, y, width, height], pixels: svg.getBoundingClientRect().width,
          path: code.getAttribute('d'), url, password, settings: [...box.querySelectorAll('dd')].map((each) => each.textContent) };
        """

    @Test("a key made in the page is shown once, as a code and as settings, and moves the landmark until it is ended")
    func aKeyIsMadeAndEnded() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            let id = try await stage.add("Ferry", -33.85, 151.22, user: "Maya")
            try await stage.listed(6)
            let row = "[...document.querySelectorAll('#list button')].find((each) => each.innerText.includes('Ferry'))"
            try await browser.run("\(row).click()")
            try await browser.press("Phones", in: "#detail")
            try await browser.press("Make a key", in: "#dialog")
            try await browser.wait("the code", "document.querySelector('#dialog svg[role=img] path')")
            let told: Told = try await browser.value(Self.read)
            // Three corners of a code are dark, behind a margin of four modules.
            #expect(told.path.hasPrefix("M4 4h7v1h-7z") && told.size > 29 && told.pixels > 100)
            #expect(told.dark == [4, 4, told.size - 8, told.size - 8])
            #expect(told.url == "\(stage.address)/v1/track/owntracks")
            #expect(told.password.utf8.count == 22 && told.settings.contains(told.password))
            #expect(told.settings.contains("\(stage.address)/v1/track/\(told.password)/osmand"))
            try await browser.press("Close", in: "#dialog")

            let report = "/v1/track/\(told.password)/osmand?lat=-33.86&lon=151.21&timestamp=1764243002"
            #expect(try await stage.ask("GET", report).status == 200)
            #expect(try await stage.landmark(id).lng == 151.21)
            try await browser.press("Phones", in: "#detail")
            try await browser.wait("the key's row", "document.querySelector('#dialog .row button.bad')")
            #expect(try await browser.value("return !document.body.textContent.includes(arguments[0])", told.password))
            try await browser.press("End", in: "#dialog")
            try await browser.wait("no row", "!document.querySelector('#dialog .row button.bad')")
            #expect(try await stage.ask("GET", report).status == 401)
            try await stage.expectNoComplaints()
        }
    }
}
