// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The page for people who need more than its usual look: a visible focus, large text, strong or few colours.
@Suite(.inTurn, .inBrowser, .serialized)
struct SightTests {
    private func emulate(_ browser: Browser, _ name: String, _ value: String) async throws {
        try await browser.command(
            "Emulation.setEmulatedMedia", ["features": [["name": name, "value": value]]])
    }

    @Test
    func whatHasTheFocusIsSeen() async throws {
        try await withHarbour { _, browser in
            let outline = """
                const style = getComputedStyle(document.activeElement);
                return document.activeElement === document.body ? 'body'
                  : `${style.outlineStyle} ${parseFloat(style.outlineWidth) >= 2 ? 'wide' : 'thin'}`;
                """
            var heard: [String] = []
            for _ in 0..<30 {
                try await browser.press(.tab)
                let seen: String = try await browser.value(outline)
                if seen == "body" { continue }
                heard.append(try await browser.focus().name)
                #expect(seen == "solid wide", "\(heard.last ?? "")")
            }
            for name in ["Map", "Zoom in", "Add here", "Search", "Kind", "More", "Opera House"] {
                #expect(heard.contains { $0.hasPrefix(name) }, "\(name) of \(heard)")
            }
            // Leaflet takes the outline away at each key.
            try await browser.tab(to: "Map", isBackward: true)
            try await browser.press(.right)
            #expect(try await browser.value(outline) == "solid wide")
        }
    }

    @Test
    func aCrosshairMarksWhatTheKeyboardPointsAt() async throws {
        try await withHarbour { _, browser in
            let isShown = "getComputedStyle(document.querySelector('#crosshair')).display === 'block'"
            #expect(try await browser.value("return !(\(isShown))"))
            try await browser.tab(to: "Map")
            try await browser.wait("the crosshair", isShown)
            let isCentred = """
                const [cross, map] = ['#crosshair svg', '#map']
                  .map((each) => document.querySelector(each).getBoundingClientRect());
                return ['x', 'y'].every((axis) => {
                  const side = axis === 'x' ? 'width' : 'height';
                  return Math.abs(cross[axis] + cross[side] / 2 - map[axis] - map[side] / 2) < 1;
                });
                """
            #expect(try await browser.value(isCentred))
            try await browser.tab(to: "Add here")
            #expect(try await browser.value("return \(isShown)"))
            try await browser.tab(to: "My position")
            #expect(try await browser.value("return !(\(isShown))"))
        }
    }

    @Test
    func stateIsSeenWithTheSystemsColours() async throws {
        try await withHarbour { _, browser in
            try await emulate(browser, "forced-colors", "active")
            try await browser.wait("the colours", "matchMedia('(forced-colors: active)').matches")
            try await browser.run("document.querySelector('#locate').setAttribute('aria-pressed', 'true')")
            let ground = "(each, pseudo) => getComputedStyle(document.querySelector(each), pseudo).backgroundColor"
            #expect(try await browser.value("const of = \(ground); return of('#locate') !== of('#fit')"))
            #expect(try await browser.value("const of = \(ground); return of('#live', '::before') !== of('#panel')"))
            let differs = """
                const of = \(ground), live = of('#live', '::before');
                document.querySelector('#live').dataset.state = 'behind';
                return of('#live', '::before') !== live;
                """
            #expect(try await browser.value(differs))
        }
    }

    @Test
    func theReadersTextSizeIsKept() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.addHarbour()
            try await browser.open(stage.address)
            try await browser.command("Page.setFontSizes", ["fontSizes": ["standard": 24, "fixed": 20]])
            try await browser.open("about:blank")
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            let size = "return parseFloat(getComputedStyle(document.querySelector(arguments[0])).fontSize)"
            for name in ["body", "#list .name", "#query"] {
                #expect(try await browser.value(size, name) == 24.0, "\(name)")
            }
            #expect(try await browser.value(size, "#list .about") > 19.0)
            #expect(try await browser.value("return document.documentElement.scrollWidth <= innerWidth"))
            let cut = """
                return [...document.querySelectorAll('#chips button, #chips summary, h1')]
                  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)
                """
            #expect(try await browser.value(cut) == [String]())
        }
    }

    /// WCAG 1.4.11 asks for 3 to 1 of what marks a control, 1.4.3 for 4.5 to 1 of its text.
    @Test(arguments: ["light", "dark"])
    func placeholdersAndBordersAreSeen(_ scheme: String) async throws {
        try await withHarbour { _, browser in
            try await emulate(browser, "prefers-color-scheme", scheme)
            try await browser.wait(
                "the colours", "matchMedia('(prefers-color-scheme: \(scheme))').matches")
            let contrast = """
                const light = (text) => text.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
                  .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
                  .reduce((sum, each, place) => sum + each * [0.2126, 0.7152, 0.0722][place], 0);
                const panel = getComputedStyle(document.querySelector('#panel')).backgroundColor;
                const [name, property, pseudo] = arguments;
                const own = getComputedStyle(document.querySelector(name), pseudo || null)[property];
                const [a, b] = [panel, own].map(light);
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                """
            #expect(try await browser.value(contrast, "#query", "color", "::placeholder") >= 4.5)
            for name in ["#query", "#kind", "#hours", "#more-filters summary", "#fit", "#person"] {
                #expect(try await browser.value(contrast, name, "borderTopColor", "") >= 3.0, "\(name)")
            }
            for name in ["#live", "#count", "#list .about"] {
                #expect(try await browser.value(contrast, name, "color", "") >= 4.5, "\(name)")
            }
        }
    }

    @Test
    func statusIsToldAndTheToolsStayInOneRow() async throws {
        try await withHarbour { _, browser in
            for name in ["#live", "#count", "#notice"] {
                #expect(
                    try await browser.value(
                        "return document.querySelector(arguments[0]).getAttribute('role')", name) == "status")
            }
            for width in [1_440, 1_000, 760] {
                try await browser.command(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false])
                let rows: Int = try await browser.value(
                    """
                    return new Set([...document.querySelectorAll('#tools button')]
                      .filter((each) => each.checkVisibility()).map((each) => Math.round(each.getBoundingClientRect().top))).size
                    """)
                #expect(rows == 1, "\(width)")
                #expect(
                    try await browser.value(
                        """
                        const { left, right } = document.querySelector('#tools').getBoundingClientRect();
                        return left >= document.querySelector('#map').getBoundingClientRect().left && right <= innerWidth;
                        """), "\(width)")
            }
        }
    }
}
