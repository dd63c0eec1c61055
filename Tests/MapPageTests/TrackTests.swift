// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

@Suite(.inTurn, .inBrowser, .serialized)
struct TrackTests {
    /// Whether something is drawn above the pins this far east of the map's centre.
    private static let isInk = """
        [...document.querySelectorAll('#map canvas[data-layer=overlay]')].some((each) => each.width > 0 &&
          each.getContext('2d').getImageData(each.width / 2 + Number(arguments[0]), each.height / 2, 1, 1).data[3] > 200)
        """

    @Test
    func theLineOfALandmarkGrowsWithItsMoves() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Pier", -33.80, 151.21)
            let id = try await stage.add("Ferry", -33.86, 151.15)
            try await stage.openPage("#at=12/-33.86/151.21", listing: 2)
            try await browser.choose("Ferry")
            try await browser.wait("the detail", "document.querySelector('#detail h2')?.textContent === 'Ferry'")
            #expect(try await browser.value("return !document.querySelector('#detail').innerText.includes('track')"))

            func move(_ lng: Double) async throws {
                let body: [String: any Sendable] = ["lat": -33.86, "lng": lng]
                #expect(try await stage.ask("POST", "/v1/landmarks/\(id)/track", body).status == 201)
            }
            try await move(151.15)
            try await move(151.18)
            try await browser.wait("the button", "document.querySelector('#detail').innerText.includes('Show track')")
            // Half way between the two.
            #expect(try await !browser.value("return \(Self.isInk)", "-131"))
            try await browser.choose("Show track")
            try await browser.wait("the line", Self.isInk, "-131")
            #expect(try await browser.value("return document.querySelector('#notice').innerText.includes('2 points')"))
            #expect(try await !browser.value("return \(Self.isInk)", "-29"))
            try await move(151.24)
            try await browser.wait("the longer line", Self.isInk, "-29")

            // Its end: the button, or another view.
            try await browser.wait(
                "the pressed button",
                "[...document.querySelectorAll('#detail button')].some((each) => each.ariaPressed === 'true')")
            try await browser.press(.escape)
            try await browser.wait("no line", "!\(Self.isInk)", "-131")
        }
    }
}
