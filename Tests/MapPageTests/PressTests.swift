// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The mouse on the map: what it opens, and what it does not.
@Suite(.inTurn, .inBrowser, .serialized)
struct PressTests {
    private static let isPopover = "!document.querySelector('#popover').hidden"
    private static let isQuiet = """
        document.querySelector('#popover').hidden && document.querySelector('#editor').hidden
          && !document.querySelector('#dialog')?.open && !location.hash.includes('id=')
        """

    /// Whether the ring around Luna Park's pin is drawn. Names have other colours at its place.
    private static let isRing = """
        ((canvas) => {
          const { data } = canvas.getContext('2d').getImageData(canvas.width / 2 - 11, canvas.height / 2 - 32, 1, 1);
          const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
          return ink === `#${[...data.slice(0, 3)].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
        })(document.querySelector('#map canvas[data-layer=points]'))
        """

    /// Luna Park is 43 pixels north of the map's middle.
    private func withPins(_ body: (MapStage, Browser) async throws -> Void) async throws {
        try await withHarbour { stage, browser in
            try await browser.waitForInk("points", 0, -43)
            try await body(stage, browser)
        }
    }

    /// Waits for what a press may begin: the page opens something by a timer of 280 ms, and a timer that is set later and
    /// is longer ends after it.
    private func rest(_ browser: Browser) async throws {
        try await browser.run("return new Promise((done) => setTimeout(() => requestAnimationFrame(done), 281))")
    }

    @Test
    func aPressOnNothingAsksWhatToDoThere() async throws {
        try await withPins { stage, browser in
            try await browser.pressMap(-200, -150)
            try await browser.wait("the popover", Self.isPopover)
            let buttons: [String] = try await browser.value(
                "return [...document.querySelectorAll('#popover button')].map((each) => each.textContent)")
            #expect(buttons == ["Add here", "Measure from here", "What is here?"])
            #expect(try await browser.value("return document.querySelector('#editor').hidden"))
            // The place is marked.
            try await browser.waitForInk("overlay", -200, -170)
            try await browser.run("document.querySelectorAll('#popover button')[2].click()")
            try await browser.wait("the town", "document.querySelector('#popover').innerText.includes('Australia')")
            // A press beside it ends it, and one on a pin opens the landmark.
            try await browser.pressMap(200, -200)
            try await browser.wait("its end", Self.isQuiet)
            try await rest(browser)
            #expect(try await browser.value("return \(Self.isQuiet)"))
            try await browser.waitForInk("overlay", -200, -170, isThere: false)
            try await browser.pressMap(0, -43)
            try await browser.wait("the landmark", "document.querySelector('#detail h2')?.textContent === 'Luna Park'")
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func aDoubleClickZoomsAndOpensNothing() async throws {
        try await withPins { _, browser in
            try await browser.pressMap(-200, -150, times: 2)
            try await browser.wait("the zoom", "location.hash.startsWith('#at=13/')")
            try await rest(browser)
            #expect(try await browser.value("return \(Self.isQuiet)"))
        }
    }

    @Test
    func theOtherButtonAsksExceptInAMode() async throws {
        try await withPins { _, browser in
            try await browser.run("document.querySelector('#measure').click()")
            // The tool's script is loaded at its first use.
            try await browser.wait("the tool", "document.querySelector('#measure').ariaPressed === 'true'")
            try await browser.pressMap(-200, -150, button: "right")
            try await rest(browser)
            #expect(try await browser.value("return \(Self.isQuiet)"))
            try await browser.run("document.querySelector('#measure').click()")
            try await browser.pressMap(-200, -150, button: "right")
            try await browser.wait("the popover", Self.isPopover)
            try await browser.run("document.querySelector('#map').focus()")
            try await browser.press(.escape)
            try await browser.wait("its end", Self.isQuiet)
        }
    }

    @Test
    func aMeasuredDistanceStaysAlsoOverThe180thMeridian() async throws {
        try await withHarbour("#at=6/-17/179.9") { _, browser in
            // Each timer ends soon, so that nothing that goes after some seconds is there after a moment.
            try await browser.run(
                """
                const slow = setTimeout;
                window.setTimeout = (run, wait, ...rest) => slow(run, Math.min(wait, 50), ...rest);
                """)
            try await browser.run("document.querySelector('#measure').click()")
            try await browser.wait("the tool", "document.querySelector('#measure').ariaPressed === 'true'")
            try await browser.pressMap(-150, 0)
            try await browser.pressMap(150, 0)
            let isTold = "/^\\d+ km E/.test(document.querySelector('#task').innerText)"
            try await browser.wait("the distance", isTold)
            for east in [-150, -100, 100, 150] { try await browser.waitForInk("overlay", east, 0) }
            try await browser.waitForInk("overlay", -200, 0, isThere: false)
            try await browser.waitForInk("overlay", 200, 0, isThere: false)
            try await browser.run("return new Promise((done) => setTimeout(() => requestAnimationFrame(done), 51))")
            #expect(try await browser.value("return \(isTold)"))
            // The other mode ends this one.
            try await browser.run("document.querySelector('#area').click()")
            try await browser.wait("its end", "document.querySelector('#measure').ariaPressed === 'false'")
            try await browser.waitForInk("overlay", 100, 0, isThere: false)
        }
    }

    @Test
    func aPinAndItsRowKnowEachOther() async throws {
        try await withPins { _, browser in
            let isPointer = "document.querySelector('#map').style.cursor === arguments[0]"
            try await browser.pointMap(0, -43)
            try await browser.wait("the pointer", isPointer, "pointer")
            try await browser.wait("the row", "document.querySelector('#list .hover')?.innerText.includes('Luna Park')")
            try await browser.wait("the ring", Self.isRing)
            // The name, above the pin.
            try await browser.waitForInk("points", 0, -76)
            try await browser.pointMap(-200, -150)
            try await browser.wait("no pointer", isPointer, "")
            try await browser.wait("no row", "!document.querySelector('#list .hover')")
            try await browser.wait("no ring", "!\(Self.isRing)")
            // From the list to the map.
            try await browser.run(
                """
                const row = [...document.querySelectorAll('#list button')]
                  .find((each) => each.innerText.includes('Luna Park'));
                for (const name of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter']) {
                  row.dispatchEvent(new PointerEvent(name, { bubbles: !name.endsWith('enter') }));
                }
                """)
            try await browser.wait("the ring again", Self.isRing)
        }
    }

    @Test
    func canvasesWithoutContentTakeNoMemory() async throws {
        try await withPins { _, browser in
            let widths: [String] = try await browser.value(
                """
                return [...document.querySelectorAll('#map canvas')]
                  .map((each) => `${each.dataset.layer} ${each.width > 0}`);
                """)
            #expect(widths.sorted() == ["land true", "overlay false", "points true"])
        }
    }

    @Test
    func allOfFijiFitsIntoTheMap() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Nadi", -17.8, 177.4)
            try await stage.add("Taveuni", -16.9, -179.9)
            try await stage.openPage("#at=3/0/0", listing: 2)
            try await browser.run("document.querySelector('#fit').click()")
            try await browser.wait(
                "Fiji",
                """
                (([zoom, , lng]) => Number(zoom) >= 6 && Math.abs(lng) > 178
                )(location.hash.slice(4).split('&')[0].split('/'))
                """)
        }
    }

    @Test
    func townsHaveNames() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Kiosk", -33.86, 151.21)
            try await stage.openPage("#at=9/48.85/2.35", listing: 1)
            // The name of Paris, at the middle of the map.
            try await browser.wait(
                "the name",
                """
                ((canvas) => canvas.getContext('2d').getImageData(canvas.width / 2 - 30, canvas.height / 2 - 20, 60, 40)
                  .data.some((each, place) => place % 4 === 3 && each > 200)
                )(document.querySelector('#map canvas[data-layer=points]'))
                """)
            #expect(
                try await browser.value(
                    "return document.querySelector('.leaflet-control-attribution').textContent.includes('GeoNames')"))
        }
    }
}
