// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestBrowser
import TestTurns
import Testing
import ZeroMQ

/// The view of one landmark.
@Suite(.inTurn, .inBrowser, .serialized)
struct DetailTests {
    private static let name = "document.querySelector('#detail h2')?.textContent"

    /// Requests about a landmark are noted, and never answered.
    private static let silence = """
        const ask = window.fetch;
        window.asked = [];
        window.fetch = (address, ...rest) => {
          if (!/^.v1.(landmarks.|where)/.test(address)) return ask(address, ...rest);
          window.asked.push(address);
          return new Promise(() => {});
        };
        """

    @Test
    func aLandmarkIsShownAtOnceFromItsRow() async throws {
        try await withHarbour { stage, browser in
            try await browser.run(Self.silence)
            try await browser.choose("Luna Park")
            try await browser.wait("its name", "\(Self.name) === 'Luna Park'")
            let buttons: [String] = try await browser.value(
                "return [...document.querySelectorAll('#detail button')].map(each => each.textContent)")
            #expect(buttons.contains("Edit") && buttons.contains("Copy position"))
            let line: String = try await browser.value("return document.querySelector('#detail .line').innerText")
            #expect(line.hasPrefix("park · "))
            // All that is asked is asked at once.
            let asked: [String] = try await browser.value("return window.asked")
            #expect(asked.contains { $0.contains("/track") } && asked.contains { $0.contains("/where") })
            #expect(asked.contains { $0.contains("history=") })
        }
    }

    @Test
    func selectedTextStaysWhileOthersEdit() async throws {
        try await withMap { stage in
            let browser = stage.browser
            let id = try await stage.add("Luna Park", -33.8476, 151.2098)
            try await stage.openPage(listing: 1)
            try await browser.choose("Luna Park")
            try await browser.wait("all of it", "document.querySelector('#detail details')")
            try await browser.run("getSelection().selectAllChildren(document.querySelector('#detail h2'))")
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["phone": "+61 2 99"])
            try await browser.wait("the phone", "document.querySelector('#detail').innerText.includes('+61 2 99')")
            #expect(try await browser.value("return getSelection().toString()") == "Luna Park")
        }
    }

    @Test
    func aLandmarkThatIsRemovedSaysSoUnderItsName() async throws {
        try await withHarbour { stage, browser in
            try await browser.choose("Luna Park")
            try await browser.wait("all of it", "document.querySelector('#detail details')")
            let id = try #require(try await stage.landmarks().first { $0.name == "Luna Park" }?.id)
            _ = try await stage.ask("DELETE", "/v1/landmarks/\(id)", user: "bob")
            try await browser.wait(
                "the word", "document.querySelector('#detail').innerText.includes('This landmark was removed.')")
            #expect(try await browser.value("return \(Self.name)") == "Luna Park")
            #expect(try await browser.value("return document.querySelectorAll('#detail button').length") == 1)
            try await stage.listed(4)
        }
    }

    /// Storage begins another history: the landmark of the former one is neither on the map nor in the panel.
    @Test
    func aNewHistoryLeavesNoGhost() async throws {
        try await withHarbour { stage, browser in
            try await browser.choose("Luna Park")
            try await browser.wait("all of it", "document.querySelector('#detail details')")
            stage.storage.withLock { $0 }.slay()
            try FileManager.default.removeItem(atPath: "\(stage.directory)/data")
            let again = try MapStage.startStorage(stage.directory)
            stage.storage.withLock { $0 = again }
            try await until("the new history begins") { (try? await stage.add("New world", -33.87, 151.2)) != nil }
            try await stage.listed(1)
            try await browser.wait(
                "the word", "document.querySelector('#detail').innerText.includes('This landmark was removed.')")
            #expect(try await browser.value("return document.querySelectorAll('#detail button').length") == 1)
        }
    }

    /// On a phone the whole panel scrolls.
    @Test
    func aLandmarkBeginsAtItsTop() async throws {
        try await withMap { stage in
            let browser = stage.browser
            for number in 0..<40 { try await stage.add("Shop \(number)", -33.86, 151.2 + Double(number) / 1_000) }
            try await browser.command(
                "Emulation.setDeviceMetricsOverride",
                ["width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true])
            try await stage.openPage("#at=12/-33.86/151.21", listing: 40)
            try await browser.run(
                """
                const last = document.querySelector('#list li:last-child button');
                last.scrollIntoView();
                last.click();
                """)
            try await browser.wait("the landmark", Self.name)
            #expect(
                try await browser.value(
                    """
                    const [name, panel] = ['#detail h2', '#panel'].map(each =>
                      document.querySelector(each).getBoundingClientRect());
                    return name.top >= panel.top && name.bottom <= innerHeight;
                    """))
        }
    }

    @Test
    func movesAreOneLineOfTheHistory() async throws {
        try await withMap { stage in
            let browser = stage.browser
            let id = try await stage.add("Ferry", -33.86, 151.15)
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)", user: "bob", ["phone": "+61 2 99"])
            for number in 0..<40 {
                let body: [String: any Sendable] = ["lat": -33.86, "lng": 151.15 + Double(number + 1) / 1_000]
                #expect(try await stage.ask("POST", "/v1/landmarks/\(id)/track", user: "ferry", body).status == 201)
            }
            try await stage.openPage("#at=12/-33.86/151.21", listing: 1)
            try await browser.choose("Ferry")
            try await browser.wait("the history", "document.querySelector('#detail details')")
            try await browser.wait("the track", "document.querySelector('#detail').innerText.includes('Show track')")
            try await browser.run("document.querySelector('#detail summary').click()")
            try await browser.wait(
                "one line", "document.querySelector('#detail details').innerText.includes('moved 40 times by ferry')")
            let lines: [String] = try await browser.value(
                "return [...document.querySelectorAll('#detail details li')].map(each => each.textContent)")
            #expect(lines.count == 3 && lines[1].contains("by bob") && lines[2].hasPrefix("added"), "\(lines)")
        }
    }

    @Test
    func linksSayWhereTheyLead() async throws {
        try await withMap { stage in
            let browser = stage.browser
            for (name, link) in [("Mail", "mailto:ann@example.org"), ("Trap", "https://paypal.com@evil.example/")] {
                let body: [String: any Sendable] = ["name": name, "lat": -33.86, "lng": 151.21, "link": link]
                #expect(try await stage.ask("POST", "/v1/landmarks", body).status == 201)
            }
            try await stage.openPage("#at=12/-33.86/151.21", listing: 2)
            for (name, text, address) in [
                ("Mail", "ann@example.org", "mailto:ann@example.org"),
                ("Trap", "evil.example", "https://evil.example/"),
            ] {
                try await browser.choose(name)
                try await browser.wait("it", "\(Self.name) === arguments[0]", name)
                let shown: [String] = try await browser.value(
                    "const link = document.querySelector('#detail dd a'); return [link.textContent, link.href]")
                #expect(shown == [text, address])
                try await browser.press(.escape)
                try await browser.wait("the list", "!document.querySelector('#browse').hidden")
            }
        }
    }

    @Test
    func thePositionIsCopiedByOnePress() async throws {
        try await withHarbour { stage, browser in
            for name in ["clipboard-read", "clipboard-write"] {
                let descriptor: [String: any Sendable] = ["name": name]
                try await browser.command("Browser.setPermission", ["permission": descriptor, "setting": "granted"])
            }
            try await browser.choose("Luna Park")
            try await browser.choose("Copy position")
            try await browser.wait("the word", "document.querySelector('#notice').innerText.includes('copied')")
            #expect(try await browser.value("return navigator.clipboard.readText()") == "-33.84760, 151.20980")
            let directions: String = try await browser.value("return document.querySelector('#detail a.button').href")
            #expect(directions.hasPrefix("geo:-33.8476,151.2098"))
        }
    }
}
