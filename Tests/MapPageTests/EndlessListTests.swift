// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The list has all rows, says how many there are, and stays under people's hands.
@Suite(.inTurn, .inBrowser, .serialized)
struct EndlessListTests {
    private static let count = "document.querySelector('#count').textContent"
    private static let toTheEnd = "const list = document.querySelector('#list'); list.scrollTop = list.scrollHeight"

    private func add(_ count: Int, to stage: MapStage, hours: String? = nil) async throws {
        for number in 0..<count {
            var body: [String: any Sendable] = ["name": "Shop \(number)", "lat": -33.86, "lng": 151.21]
            if let hours { body["opening_hours"] = hours }
            #expect(try await stage.ask("POST", "/v1/landmarks", body).status == 201)
        }
    }

    @Test
    func rowsFollowWhenOneScrolls() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await add(230, to: stage)
            try await stage.openPage("#at=14/-33.86/151.21", listing: 100)
            try await browser.wait("the number", "\(Self.count) === '230 landmarks'")
            try await browser.run(Self.toTheEnd)
            try await stage.listed(200)
            try await browser.run(Self.toTheEnd)
            try await stage.listed(230)
            let ids: [String] = try await browser.value(
                "return [...document.querySelectorAll('#list button')].map(each => each.dataset.id)")
            #expect(Set(ids).count == 230)
            // A change does not take them away again.
            try await browser.run(
                """
                window.least = 230;
                const rows = document.querySelector('#list');
                new MutationObserver(() => { window.least = Math.min(window.least, rows.children.length); })
                  .observe(rows, { childList: true });
                """)
            try await stage.add("One more", -33.86, 151.21)
            // The page may be asking just then, for the 230 rows that it has. The last row comes when one scrolls.
            try await until("a list of 231") {
                try await browser.run(Self.toTheEnd)
                return try await browser.value("return document.querySelectorAll('#list li').length === 231")
            }
            #expect(try await browser.value("return window.least") == 230)
            try await browser.wait("the number", "\(Self.count) === '231 landmarks'")
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func whatIsAddedFarAwayIsCounted() async throws {
        try await withMap { stage in
            try await add(130, to: stage)
            try await stage.openPage("#at=14/-33.86/151.21", listing: 100)
            try await stage.browser.wait("the number", "\(Self.count) === '130 landmarks'")
            // The first one may be counted by the answers that a new page still asks for.
            for (number, name) in ["Bastille", "Belleville", "Bercy"].enumerated() {
                try await stage.add(name, 48.85, 2.37)
                try await stage.browser.wait("the number", "\(Self.count) === '\(131 + number) landmarks'")
            }
            try await stage.listed(100)
        }
    }

    @Test
    func aSpotIsListedWholeAlsoDuringASearch() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await add(130, to: stage)
            try await stage.add("Bondi", -33.89, 151.27)
            try await stage.openPage("#at=14/-33.86/151.21&q=bondi", listing: 1)
            #expect(try await browser.value("return \(Self.count)") == "Found: 1 landmark")
            // Until the pins are drawn, there is nothing at the centre; the circles before zoom 18 are zoomed into.
            let isListed = "\(Self.count).startsWith('At this spot: 130')"
            let isPopover = "!document.querySelector('#popover').hidden"
            let isAnswered = "\(isListed) || location.hash !== arguments[0] || \(isPopover)"
            try await until("the spot is listed") {
                let place: String = try await browser.value("return location.hash")
                try await browser.run("document.querySelector('#map').focus()")
                try await browser.press(.enter)
                try await browser.wait("an answer", isAnswered, place)
                if try await browser.value("return \(isListed)") { return true }
                try await browser.press(.escape)
                return false
            }
            try await stage.listed(100)
            try await browser.run(Self.toTheEnd)
            try await stage.listed(130)
            #expect(try await browser.value("return \(Self.count)") == "At this spot: 130 landmarks")
            // Back to the search.
            try await browser.run("document.querySelector('#all').click()")
            try await stage.listed(1)
        }
    }

    @Test
    func whatIsOpenIsCountedTruly() async throws {
        try await withMap(settings: "places:\n  zone: Australia/Sydney\n") { stage in
            let browser = stage.browser
            try await add(130, to: stage, hours: "24/7")
            try await stage.openPage("#at=14/-33.86/151.21&open=now", listing: 100)
            try await browser.wait("no false number", "\(Self.count).startsWith('More than 100 landmarks')")
            try await browser.run(Self.toTheEnd)
            try await stage.listed(130)
            try await browser.wait("the number", "\(Self.count).startsWith('130 landmarks')")
        }
    }

    /// Also with the focus on a row that has scrolled out of sight.
    @Test
    func theListStaysWhereItIsWhileOthersAdd() async throws {
        try await withMap { stage in
            let browser = stage.browser
            for number in 0..<60 { try await stage.add("Far \(number)", -33.9 - Double(number) / 1_000, 151.21) }
            try await stage.openPage("#at=12/-33.86/151.21", listing: 60)
            try await browser.choose("Far 1")
            try await browser.wait("the landmark", "!document.querySelector('#detail').hidden")
            try await browser.press(.escape)
            try await browser.wait("the row", "document.activeElement.innerText.startsWith('Far 1')")
            try await browser.run("document.querySelector('#list').scrollTop = 1500")
            let top = """
                (name => [...document.querySelectorAll('#list button')].find(each => each.innerText.startsWith(name))
                  .getBoundingClientRect().top)(arguments[0])
                """
            let before: Double = try await browser.value("return \(top)", "Far 40")
            // Below what is in sight, and above it.
            try await stage.add("Last", -33.99, 151.21)
            try await stage.listed(61)
            #expect(try await browser.value("return document.querySelector('#list').scrollTop") == 1_500)
            try await stage.add("First", -33.86, 151.21)
            try await stage.listed(62)
            try await browser.wait("the same row", "Math.abs(\(top) - Number(arguments[1])) < 2", "Far 40", "\(before)")
            #expect(try await browser.value("return document.activeElement.innerText.startsWith('Far 1')"))
        }
    }

    @Test
    func aRowUnderThePointerIsToldAndARowIsMarked() async throws {
        try await withHarbour { stage, browser in
            let told: String = try await browser.value(
                """
                const told = [], dispatch = EventTarget.prototype.dispatchEvent;
                EventTarget.prototype.dispatchEvent = function (event) {
                  if (event.type === "hover") { window.page = this; told.push(event.detail); }
                  return dispatch.call(this, event);
                };
                const row = document.querySelector('#list button');
                row.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
                return told.at(-1) === row.dataset.id ? 'told' : String(told);
                """)
            #expect(told == "told")
            let marked: Bool = try await browser.value(
                """
                const row = document.querySelectorAll('#list li')[2];
                window.page.dispatchEvent(new CustomEvent('hover', { detail: row.firstElementChild.dataset.id }));
                return document.querySelectorAll('#list .hover').length === 1 && row.classList.contains('hover');
                """)
            #expect(marked)
        }
    }
}
