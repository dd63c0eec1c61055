// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// The page on a small screen, where the panel is a sheet over the map.
@Suite("The page on a phone", .inTurn, .inBrowser, .serialized)
struct PhoneTests {
    private static let controls = """
        #query, #grip, #live, #person, #menu, #kind, #hours, #more-filters > summary, #add, #locate, #tools-menu,
        .leaflet-control-zoom a, .leaflet-control-scale, .leaflet-control-attribution
        """

    /// The controls that overlap, leave the screen, or lie under the sheet.
    private static let faults = """
        const sheet = document.querySelector('#panel'), { top } = sheet.getBoundingClientRect();
        const isFull = sheet.dataset.height === 'full';
        const all = [...document.querySelectorAll(arguments[0])].filter((each) => each.checkVisibility())
          .filter((each) => sheet.contains(each) || !isFull)
          .map((each) => ({ name: each.id || each.className || each.tagName, isOnSheet: sheet.contains(each),
            box: each.getBoundingClientRect() }))
          .filter(({ box, isOnSheet }) => !isOnSheet || box.top < innerHeight - 1);
        const found = all.filter(({ box, isOnSheet }) => box.left < 0 || box.right > innerWidth + 1 || box.top < 0
          || !isOnSheet && box.bottom > top + 1).map(({ name }) => `${name} is out of its place`);
        all.forEach((a, place) => all.slice(place + 1).forEach((b) => {
          const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          if (wide > 1 && high > 1) found.push(`${a.name} and ${b.name} overlap`);
        }));
        if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
        if (all.length < 5) found.push(`only ${all.map(({ name }) => name)}`);
        return found;
        """

    private static let height = "document.querySelector('#panel').dataset.height"

    private func withPhone(
        _ width: Int, _ height: Int, _ body: (MapStage, Browser) async throws -> Void
    ) async throws {
        try await withMap { stage in
            try await stage.addHarbour()
            try await stage.browser.command(
                "Emulation.setDeviceMetricsOverride",
                ["width": width, "height": height, "deviceScaleFactor": 2, "mobile": true])
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            try await body(stage, stage.browser)
        }
    }

    private func picture(_ browser: Browser, _ name: String) async throws {
        guard let path = ProcessInfo.processInfo.environment["WAYMARK_BROWSER_PICTURES"] else { return }
        try await browser.picture("\(path)/\(name).png")
    }

    /// Waits until the sheet has this height, and has stopped moving.
    private func settle(_ browser: Browser, _ wanted: String) async throws {
        try await browser.wait("the height \(wanted)", "\(Self.height) === arguments[0]", wanted)
        try await browser.wait("a still sheet", "!document.querySelector('#panel').getAnimations().length")
    }

    /// The last one is a desktop at 400 %.
    @Test(arguments: [(320, 568), (390, 844), (320, 256)])
    func nothingOverlaps(_ width: Int, _ height: Int) async throws {
        try await withPhone(width, height) { _, browser in
            for (key, wanted) in [(.home, "low"), (.up, "half"), (.up, "full")] as [(Key, String)] {
                try await browser.run("document.querySelector('#grip').focus()")
                try await browser.press(key)
                try await settle(browser, wanted)
                try await picture(browser, "phone \(width) \(height) \(wanted)")
                let faults: [String] = try await browser.value(Self.faults, Self.controls)
                #expect(faults == [], "\(wanted)")
            }
        }
    }

    @Test
    func theToolsAreInAMenu() async throws {
        try await withPhone(320, 568) { stage, browser in
            let reached = """
                [...document.querySelectorAll('#more-tools button')].filter((each) => {
                  const { left, top, width, height, right } = each.getBoundingClientRect();
                  return left >= 0 && right <= innerWidth
                    && each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
                }).length === Number(arguments[0])
                """
            #expect(try await browser.value("return \(reached)", "0"))
            try await browser.choose("Tools")
            try await browser.wait("four tools", reached, "4")
            try await picture(browser, "phone tools")
            try await browser.press(.escape)
            try await browser.wait("no tools", reached, "0")
            #expect(try await browser.focus().name == "Tools")
            // A tool that works on the map takes the sheet away.
            try await browser.press(.enter)
            try await browser.choose("Watch area")
            try await settle(browser, "low")
            #expect(try await browser.value("return \(reached)", "0"))
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func theSheetIsMovedByKeysAndByDragging() async throws {
        try await withPhone(390, 844) { stage, browser in
            func heights() async throws -> (sheet: Int, map: Int) {
                (
                    try await browser.value("return document.querySelector('#panel').offsetHeight"),
                    try await browser.value("return document.querySelector('#map').offsetHeight")
                )
            }
            let place: String = try await browser.value("return location.hash.split('&')[0]")
            let half = try await heights()
            try await browser.tab(to: "Height of the list")
            try await browser.press(.down)
            try await settle(browser, "low")
            let low = try await heights()
            try await browser.press(.up)
            try await browser.press(.up)
            try await settle(browser, "full")
            let full = try await heights()
            #expect(low.sheet < half.sheet && half.sheet < full.sheet)
            #expect(low.map > half.map, "the map takes the room that the sheet leaves")
            #expect(
                try await browser.value("return document.querySelector('#grip').getAttribute('aria-valuetext')")
                    == "full")

            // A drag from the top to the middle, with a rest at its end, so that it is no throw.
            let top = 844 - full.sheet + 10
            try await drag(browser, from: top, to: 844 - half.sheet + 30)
            try await settle(browser, "half")
            try await drag(browser, from: 844 - half.sheet + 10, to: 830)
            try await settle(browser, "low")
            let again = try await heights()
            #expect(again.sheet == low.sheet && again.map == low.map)
            // The middle of the map is where it was, but for the half pixels of each step.
            let isThere = """
                (() => {
                  const read = (text) => text.split('/').slice(1).map(Number), wanted = read(arguments[0]);
                  return read(location.hash.split('&')[0]).every((each, at) => Math.abs(each - wanted[at]) < 0.002);
                })()
                """
            try await browser.wait("the same place", isThere, place)
            try await stage.expectNoComplaints()
        }
    }

    private func drag(_ browser: Browser, from: Int, to: Int) async throws {
        func mouse(_ type: String, _ y: Int) async throws {
            try await browser.command(
                "Input.dispatchMouseEvent",
                ["type": type, "x": 195, "y": y, "button": "left", "buttons": 1, "clickCount": 1])
        }
        try await browser.run(
            """
            const hear = ({ timeStamp }) => { window.lastMove = timeStamp; };
            window.lastMove ??= addEventListener('pointermove', hear, true) ?? Infinity;
            """)
        try await mouse("mousePressed", from)
        for step in 1...8 { try await mouse("mouseMoved", from + (to - from) * step / 8) }
        // A finger that rests for a tenth of a second throws nothing.
        try await browser.wait("a finger that rests", "performance.now() - window.lastMove > 110")
        try await mouse("mouseReleased", to)
    }

    @Test
    func theFocusIsNeverUnderTheSheet() async throws {
        try await withPhone(390, 844) { _, browser in
            try await browser.run("document.querySelector('#grip').focus()")
            try await browser.press(.home)
            try await settle(browser, "low")
            // The keyboard of a phone leaves only the upper half of the screen to the search.
            try await browser.tab(to: "Search")
            try await settle(browser, "full")
            try await browser.tab(to: "Add here", isBackward: true)
            try await settle(browser, "half")
            try await browser.run("document.querySelector('#grip').focus()")
            try await browser.press(.home)
            try await settle(browser, "low")
            try await browser.run("document.querySelector('#hours').focus()")
            try await settle(browser, "half")
        }
    }

    /// A message with Undo stays for long.
    @Test
    func aMessageHidesNoButtonOfTheForm() async throws {
        try await withPhone(390, 844) { stage, browser in
            try await stage.introduce()
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            try await browser.choose("Luna Park")
            try await browser.choose("Remove")
            try await browser.wait("the message", "document.querySelector('#notice button')")
            try await browser.choose("Add here")
            try await settle(browser, "full")
            let isReached = """
                return [...document.querySelectorAll('#editor .foot button, #notice button')].every((each) => {
                  const { left, top, width, height } = each.getBoundingClientRect();
                  return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
                })
                """
            #expect(try await browser.value(isReached))
            try await picture(browser, "phone form")
        }
    }

    @Test
    func aLandmarkOpensAtItsName() async throws {
        try await withPhone(390, 844) { stage, browser in
            for number in 1...20 { try await stage.add("Buoy \(number)", -33.85, 151.2 + Double(number) / 1_000) }
            try await stage.listed(25)
            try await browser.run(
                """
                document.querySelector('#list').scrollTop = 900;
                [...document.querySelectorAll('#list button')].at(-1).click();
                """)
            try await browser.wait("the landmark", "document.querySelector('#detail h2')")
            let isSeen = """
                (({ top, bottom }) => top >= document.querySelector('#panel').getBoundingClientRect().top
                  && bottom <= innerHeight)(document.querySelector('#detail h2').getBoundingClientRect())
                """
            try await settle(browser, "half")
            #expect(try await browser.value("return \(isSeen)"))
            try await picture(browser, "phone landmark")
        }
    }
}
