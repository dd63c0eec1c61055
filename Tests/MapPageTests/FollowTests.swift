// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// The person's position while they move. The browser's own emulation delivers only one position, so the test stands
/// in for what asks the device.
@Suite(.inTurn, .inBrowser, .serialized)
struct FollowTests {
    /// `moveTo` tells a position, `refuse` the failure of a code; `dot` is what was drawn last for the position.
    private static let device = """
        const watches = new Map();
        let number = 0;
        Geolocation.prototype.watchPosition = (tell, fail) => { watches.set(++number, { tell, fail }); return number; };
        Geolocation.prototype.clearWatch = (which) => watches.delete(which);
        window.watched = () => watches.size;
        window.moveTo = (latitude, longitude, accuracy) => {
          for (const { tell } of watches.values()) tell({ coords: { latitude, longitude, accuracy }, timestamp: Date.now() });
        };
        window.refuse = (code) => {
          for (const { fail } of watches.values()) fail({ code, PERMISSION_DENIED: 1, message: "" });
        };
        const { arc, fill } = CanvasRenderingContext2D.prototype;
        let last = null;
        CanvasRenderingContext2D.prototype.arc = function (x, y, radius, ...rest) {
          last = { x, y, radius };
          return arc.call(this, x, y, radius, ...rest);
        };
        CanvasRenderingContext2D.prototype.fill = function (...rest) {
          if (this.fillStyle === "#1a73e8") window.dot = this.globalAlpha < 1 ? { accuracy: last.radius } : { ...window.dot, ...last };
          return fill.apply(this, rest);
        };
        """

    private struct Dot: Decodable {
        var x: Double
        var y: Double
        var accuracy: Double
    }

    private static let zoom = 14.0
    private static let nearest = "document.querySelector('#list .name')?.textContent === arguments[0]"
    private static let isAt = """
        location.hash.startsWith('#at=14/') && [1, 2].every(each =>
          Math.abs(Number(location.hash.split('&')[0].split('/')[each]) - Number(arguments[each - 1])) < 0.001)
        """

    /// At the zoom to which the button comes back.
    private static let isNear = isAt.replacing("#at=14/", with: "#at=15/")

    /// How far the dot is from the middle of the map, in pixels, and how wide its accuracy is.
    private func dot(_ browser: Browser) async throws -> Dot {
        try await browser.value(
            """
            const { clientWidth, clientHeight } = document.querySelector('#map');
            return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(
              { ...window.dot, x: window.dot.x - clientWidth / 2, y: window.dot.y - clientHeight / 2 }))));
            """)
    }

    /// The metres of a pixel of the map.
    private func metresOfPixel(at latitude: Double) -> Double {
        40_075_016.686 * cos(latitude * .pi / 180) / (256 * pow(2, Self.zoom))
    }

    private func move(_ browser: Browser, _ latitude: Double, _ longitude: Double, _ accuracy: Double) async throws {
        try await browser.run(
            "window.moveTo(...[...arguments].map(Number))", "\(latitude)", "\(longitude)", "\(accuracy)")
    }

    /// Opens the page at a zoom that following keeps, and presses the button.
    private func withFollowing(_ body: (MapStage, Browser) async throws -> Void) async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.addHarbour()
            // Without the map's gliding on after a drag.
            let still = [["name": "prefers-reduced-motion", "value": "reduce"]]
            try await browser.command("Emulation.setEmulatedMedia", ["features": still])
            try await browser.command("Page.addScriptToEvaluateOnNewDocument", ["source": Self.device])
            try await stage.openPage("#at=14/-33.86/151.21", listing: 5)
            try await browser.choose("My position")
            #expect(try await browser.value("return window.watched()") == 1)
            try await body(stage, browser)
        }
    }

    @Test
    func theMapFollowsUntilItIsDragged() async throws {
        try await withFollowing { stage, browser in
            try await move(browser, -33.889967, 151.27644, 300)
            try await browser.wait("the place", Self.isAt, "-33.889967", "151.27644")
            try await browser.wait("the nearest", Self.nearest, "Bondi Beach")
            // The coordinates and the town stand over the map.
            try await browser.wait(
                "the address",
                "/^-33.88997, 151.27644 ± 300 m · .*Australia/.test(document.querySelector('#task').innerText)")
            let first = try await dot(browser)
            #expect(abs(first.x) < 2 && abs(first.y) < 2)
            #expect(abs(first.accuracy / (300 / metresOfPixel(at: -33.89)) - 1) < 0.01)

            // The next position: the map goes with it, the list is that of there, and the circle is smaller.
            try await move(browser, -33.797151, 151.288784, 60)
            try await browser.wait("the next place", Self.isAt, "-33.797151", "151.288784")
            try await browser.wait("what is near there", Self.nearest, "Manly Beach")
            let second = try await dot(browser)
            #expect(abs(second.x) < 2 && abs(second.y) < 2)
            #expect(abs(second.accuracy / (60 / metresOfPixel(at: -33.8)) - 1) < 0.01)

            try await drag(browser)
            let dragged: String = try await browser.value("return location.hash")
            let third = try await dot(browser)
            // The map leaves out the first step, which could have been a click.
            #expect((90...125).contains(third.x) && (45...65).contains(third.y), "\(third)")
            // From here on the dot moves over the map. The list is still sorted from the person.
            try await move(browser, -33.9205, 151.2577, 60)
            try await browser.wait("what is near now", Self.nearest, "Coogee Beach")
            try await move(browser, -33.797151, 151.308784, 60)
            try await browser.wait("what is near again", Self.nearest, "Manly Beach")
            #expect(try await browser.value("return location.hash") == dragged)
            let fourth = try await dot(browser)
            let east = 0.02 * 256 * pow(2, Self.zoom) / 360
            #expect(abs(fourth.x - third.x - east) < 3 && abs(fourth.y - third.y) < 3, "\(fourth)")

            // The button comes back to the person, and close; only then it ends.
            try await browser.choose("My position")
            try await browser.wait("the person again", Self.isNear, "-33.797151", "151.308784")
            #expect(try await browser.value("return window.watched()") == 1)
            let fifth = try await dot(browser)
            #expect(abs(fifth.x) < 2 && abs(fifth.y) < 2)
            try await browser.press(.enter)
            #expect(try await browser.value("return window.watched()") == 0)
            #expect(try await browser.value("return document.querySelector('#task').hidden"))
            // On again: it follows again.
            try await browser.press(.enter)
            try await move(browser, -33.8568, 151.2153, 20)
            try await browser.wait("the last place", Self.isNear, "-33.8568", "151.2153")
            try await browser.wait("what is near at last", Self.nearest, "Opera House")
            try await stage.expectNoComplaints()
        }
    }

    /// Also at the keyboard a person can look elsewhere.
    @Test
    func theMapFollowsUntilItIsMovedByKeys() async throws {
        try await withFollowing { _, browser in
            try await move(browser, -33.889967, 151.27644, 30)
            try await browser.wait("the place", Self.isAt, "-33.889967", "151.27644")
            try await browser.tab(to: "Map")
            let before: String = try await browser.value("return location.hash")
            try await browser.press(.right)
            try await browser.wait("another view", "location.hash !== arguments[0]", before)
            try await browser.run("return new Promise(done => setTimeout(done, 500))")
            let moved: String = try await browser.value("return location.hash")
            try await move(browser, -33.797151, 151.288784, 30)
            try await browser.wait("what is near there", Self.nearest, "Manly Beach")
            #expect(try await browser.value("return location.hash") == moved)
        }
    }

    @Test
    func aTunnelKeepsThePositionAndARefusalKeepsThePage() async throws {
        try await withFollowing { stage, browser in
            try await move(browser, -33.889967, 151.27644, 30)
            try await browser.wait("the nearest", Self.nearest, "Bondi Beach")
            // Unavailable and too late: the browser goes on looking.
            for code in ["2", "3"] { try await browser.run("window.refuse(Number(arguments[0]))", code) }
            #expect(try await browser.value("return !document.querySelector('#dialog')"))
            #expect(try await browser.value("return window.watched()") == 1)
            try await move(browser, -33.797151, 151.288784, 30)
            try await browser.wait("what is near there", Self.nearest, "Manly Beach")

            try await browser.run("window.refuse(1)")
            try await browser.wait("the form", "document.querySelector('#dialog')?.open")
            try await browser.press(.escape)
            try await browser.wait("its end", "!document.querySelector('#dialog')")
            #expect(try await browser.value("return window.watched()") == 0)
            #expect(try await browser.value("return document.querySelector('#locate').ariaPressed") == "false")
            // All else works: the list is live, and what is chosen in it opens.
            try await stage.add("Kiosk", -33.8, 151.28)
            try await stage.listed(6)
            try await browser.choose("Kiosk")
            try await browser.wait("the landmark", "document.querySelector('#detail h2')?.textContent === 'Kiosk'")
            try await stage.expectNoComplaints()
        }
    }

    /// Drags the map by 120 pixels to the right and 60 down, and lets it rest.
    private func drag(_ browser: Browser) async throws {
        let before: String = try await browser.value("return location.hash")
        struct Point: Decodable {
            var x: Double
            var y: Double
        }
        let from: Point = try await browser.value(
            """
            const box = document.querySelector('#map').getBoundingClientRect();
            return { x: box.x + box.width / 3, y: box.y + box.height * 2 / 3 };
            """)
        func mouse(_ type: String, _ far: Double, buttons: Int) async throws {
            try await browser.command(
                "Input.dispatchMouseEvent",
                [
                    "type": type, "x": from.x + 120 * far, "y": from.y + 60 * far, "button": "left",
                    "buttons": buttons, "clickCount": 1,
                ])
        }
        try await mouse("mousePressed", 0, buttons: 1)
        for step in 1...6 { try await mouse("mouseMoved", Double(step) / 6, buttons: 1) }
        // The map moves with the next frame, and not any more after the button is up.
        try await browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        try await mouse("mouseReleased", 1, buttons: 0)
        try await browser.wait("the dragged view", "location.hash !== arguments[0]", before)
    }
}
