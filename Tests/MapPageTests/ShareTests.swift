// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import TestWeb
import Testing

/// Links that end, opened by a browser without a name, an account and anything kept.
@Suite("The page of a link", .inTurn, .inBrowser, .serialized)
struct ShareTests {
    private static let dialog = "document.querySelector('#dialog')"
    private static let says = "document.querySelector('#shared').innerText.includes(arguments[0])"
    private static let isDrawn = "document.querySelector('#map canvas[data-layer=overlay]').width > 0"

    private struct Made: Decodable {
        var path: String
        var fingerprint: String
    }

    private func share(_ stage: MapStage, _ body: [String: any Sendable]) async throws -> Made {
        let made = try await stage.ask("POST", "/v1/shares", body)
        guard made.status == 201 else { throw BrowserError("no link: \(made.text)") }
        return try JSONDecoder().decode(Made.self, from: Data(made.text.utf8))
    }

    private func move(_ stage: MapStage, _ id: String, _ lat: Double, _ lng: Double) async throws {
        #expect(try await stage.ask("POST", "/v1/landmarks/\(id)/track", ["lat": lat, "lng": lng]).status == 201)
    }

    /// Runs `body` with another browser that has never been here.
    private func withStranger(_ stage: MapStage, _ body: (Browser) async throws -> Void) async throws {
        let folder = "\(stage.directory)/stranger"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let browser = try await Browser(directory: folder)
        do { try await body(browser) } catch {
            await browser.stop()
            throw error
        }
        await browser.stop()
    }

    private func picture(_ browser: Browser, _ name: String) async throws {
        guard let path = ProcessInfo.processInfo.environment["WAYMARK_BROWSER_PICTURES"] else { return }
        try await browser.picture("\(path)/\(name).png")
    }

    @Test("a link that is made on the page shows the landmark live, and says soon that it was ended")
    func aLinkIsMadeWatchedAndEnded() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            let id = try await stage.add("Ferry", -33.85, 151.22, user: "Maya")
            try await move(stage, id, -33.852, 151.222)
            try await stage.listed(6)
            let row = "[...document.querySelectorAll('#list button')].find((each) => each.innerText.includes('Ferry'))"
            try await browser.run("\(row).click()")
            try await browser.press("Link that ends", in: "#detail")
            try await browser.wait("the form", "\(Self.dialog)?.querySelector('select[name=track]')")
            try await browser.run("document.querySelector('#dialog select[name=track]').value = 'track'")
            try await browser.press("Make the link", in: "#dialog")
            try await browser.wait("the link", "\(Self.dialog)?.querySelector('input')?.value.includes('/share#')")
            let link: String = try await browser.value("return document.querySelector('#dialog input').value")
            try await browser.press("Close", in: "#dialog")

            try await withStranger(stage) { stranger in
                try await stranger.open(link)
                try await stranger.wait("the name", Self.says, "Ferry")
                try await stranger.wait("its age", Self.says, "just now")
                try await stranger.wait("its end", Self.says, "This link ends in 59 min")
                try await stranger.wait("the pin", Self.isDrawn)
                try await picture(stranger, "shared")
                // Nothing of the page that writes is here, and nothing is kept.
                let isBare = """
                    return !document.querySelector('form, input, #add, #edit') && localStorage.length === 0
                      && document.cookie === ''
                    """
                #expect(try await stranger.value(isBare))
                try await move(stage, id, -33.9, 151.5)
                try await stranger.wait("the move", "!document.querySelector('#shared').innerText.includes('min ago')")

                try await browser.press("Link that ends", in: "#detail")
                try await browser.press("My links", in: "#dialog")
                try await browser.press("End", in: "#dialog")
                let begun = ContinuousClock.now
                try await stranger.wait("the end", Self.says, "This link has ended")
                // The service looks once a second, and a busy machine takes longer.
                #expect(ContinuousClock.now - begun < .seconds(15))
                #expect(try await stranger.value("return !(\(Self.isDrawn)) && document.title === 'Waymark'"))
                try await picture(stranger, "shared-ended")
                let complaints = try await stranger.complaints().filter { !$0.contains("favicon") }
                #expect(complaints.isEmpty, "\(complaints)")
                // A reload finds nothing.
                try await stranger.open("about:blank")
                try await stranger.open(link)
                try await stranger.wait("nothing", Self.says, "This link shows nothing")
            }
        }
    }

    @Test("what happens in a private fence is not drawn; the page says so")
    func aPrivatePositionIsNotShown() async throws {
        try await withMap { stage in
            let id = try await stage.add("Ferry", 1, 1)
            let fence: [String: any Sendable] = ["name": "home", "within": "9,9,11,11", "private": true]
            #expect(try await stage.ask("POST", "/v1/fences", fence).status == 201)
            let made = try await share(stage, ["landmark": id])
            try await stage.browser.open("\(stage.address)\(made.path)")
            try await stage.browser.wait("the pin", Self.isDrawn)
            try await move(stage, id, 10, 10)
            try await stage.browser.wait("the sentence", Self.says, "Its position is private now")
            #expect(try await stage.browser.value("return !document.body.innerText.includes('10')"))
            try await move(stage, id, 2, 2)
            try await stage.browser.wait("the position", Self.says, "Last position: just now")
            try await stage.expectNoComplaints()
        }
    }

    @Test("a link to an area lists who is there, also on a narrow phone, where nothing is cut")
    func anAreaOnAPhone() async throws {
        try await withMap { stage in
            try await stage.addHarbour()
            let browser = stage.browser
            let screen: [String: any Sendable] = ["width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true]
            try await browser.command("Emulation.setDeviceMetricsOverride", screen)
            let made = try await share(stage, ["within": "-33.87,151.2,-33.84,151.22", "label": "Harbour"])
            try await browser.open("\(stage.address)\(made.path)")
            try await browser.wait("the number", Self.says, "2 landmarks")
            try await browser.wait("by hand", Self.says, "until it is ended by hand")
            #expect(try await browser.value("return document.querySelectorAll('#list li').length === 2"))
            let isWhole = """
                const { bottom } = document.querySelector('#map').getBoundingClientRect();
                const { top, height } = document.querySelector('#panel').getBoundingClientRect();
                return document.documentElement.scrollWidth <= innerWidth && height > 100 && top > 200
                  && bottom > top && document.querySelector('#title').innerText === 'Harbour'
                """
            #expect(try await browser.value(isWhole))
            try await picture(browser, "shared-phone")
            try await stage.add("Kite", -33.86, 151.21)
            try await browser.wait("one more", Self.says, "3 landmarks")
            try await stage.expectNoComplaints()
        }
    }
}
