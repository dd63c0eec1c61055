// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The address says what the page shows, and the page shows what the address says.
@Suite(.inTurn, .inBrowser, .serialized)
struct AddressTests {
    private static let isReading = "!document.querySelector('#detail').hidden"
    private static let isBrowsing = "!document.querySelector('#browse').hidden"

    @Test
    func aPastedLinkIsHeard() async throws {
        try await withHarbour { stage, browser in
            try await browser.run("location.hash = arguments[0]", "#at=13/-33.8/151.28&kind=beach&q=manly")
            try await stage.listed(1)
            #expect(try await browser.value("return document.querySelector('#kind').ariaLabel") == "Kind Beach")
            #expect(try await browser.value("return document.querySelector('#query').value") == "manly")
            // The map is there: the next move goes on from it.
            try await browser.tab(to: "Map")
            try await browser.press(.right)
            try await browser.wait("a view further east", "/^#at=13.-33[.]8[0-9]*.151[.](29|3)/.test(location.hash)")

            // The same with a landmark.
            let id = try #require(try await stage.landmarks().first { $0.name == "Luna Park" }?.id)
            try await browser.run("location.hash = arguments[0]", "#at=12/-33.86/151.21&id=\(id)")
            try await browser.wait("it", "document.querySelector('#detail h2')?.textContent === 'Luna Park'")
            try await stage.listed(5)
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func backClosesALandmarkAndForwardOpensIt() async throws {
        try await withHarbour { stage, browser in
            let before: Int = try await browser.value("return history.length")
            try await browser.choose("Luna Park")
            try await browser.wait("the landmark", Self.isReading)
            #expect(try await browser.value("return history.length") == before + 1)
            try await browser.run("history.back()")
            try await browser.wait("the list", "\(Self.isBrowsing) && !location.hash.includes('id=')")
            try await stage.listed(5)
            try await browser.run("history.forward()")
            try await browser.wait("the landmark", "\(Self.isReading) && location.hash.includes('id=')")

            // Who closes it otherwise leaves no entries behind.
            for _ in 0..<3 {
                try await browser.press(.escape)
                try await browser.wait("the list", "\(Self.isBrowsing) && !location.hash.includes('id=')")
                try await browser.choose("Luna Park")
                try await browser.wait("the landmark", "\(Self.isReading) && location.hash.includes('id=')")
            }
            #expect(try await browser.value("return history.length") == before + 1)
            try await stage.expectNoComplaints()
        }
    }

    /// The search, the order and the hours are in the link, too.
    @Test
    func aLinkHasSearchAndOrder() async throws {
        try await withHarbour { stage, browser in
            try await browser.run("document.querySelector('#query').focus()")
            try await browser.type("beach")
            try await stage.listed(3)
            try await browser.run(
                """
                const order = document.querySelector('#order');
                order.value = 'recent';
                order.dispatchEvent(new Event('change'));
                """)
            try await browser.wait("the address", "location.hash.includes('q=beach&order=recent')")
            let link: String = try await browser.value("return location.href")
            _ = try await browser.newWindow()
            try await browser.open(link)
            try await stage.listed(3)
            #expect(try await browser.value("return document.querySelector('#query').value") == "beach")
            #expect(try await browser.value("return document.querySelector('#order').value") == "recent")
        }
    }

    @Test
    func aLandmarkBeyondTheMapSaysSo() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Ice camp", 89.2, 10)
            try await stage.openPage("#at=3/80/10", listing: 1)
            try await browser.choose("Ice camp")
            try await browser.wait(
                "the words", "document.querySelector('#notice').innerText.includes('The map ends at 85°')")
        }
    }

    /// The list is asked for the view that is shown, not for the one before it.
    @Test
    func aPageWithoutAViewAsksOnce() async throws {
        try await withMap { stage in
            try await stage.addHarbour()
            try await stage.openPage(listing: 5)
            let asked: [String] = try await stage.browser.value(
                """
                return performance.getEntriesByType('resource').map(each => each.name)
                  .filter(each => each.includes('/v1/near'))
                """)
            #expect(!asked.contains { $0.contains("lat=20&lng=20") }, "\(asked)")
        }
    }

    /// What lies on both sides of the 180th meridian is near each other.
    @Test
    func allIsShownOverThe180thMeridian() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Suva", -18.14, 178.44)
            try await stage.add("Taveuni", -16.85, -179.97)
            try await stage.openPage("#at=2/20/20", listing: 2)
            try await browser.run("document.querySelector('#fit').click()")
            try await browser.wait("a close view", "Number(location.hash.split('/')[0].split('=')[1]) >= 6")
            #expect(try await browser.value("return Math.abs(Number(location.hash.split('/')[2].split('&')[0])) > 178"))
        }
    }
}
