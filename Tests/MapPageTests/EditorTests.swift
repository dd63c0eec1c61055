// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// The form in the panel, and what the page says after it.
@Suite(.inTurn, .inBrowser, .serialized)
struct EditorTests {
    private static let isWriting = "!document.querySelector('#editor').hidden"
    private static let isRead = "document.querySelector('#detail h2')?.textContent === arguments[0]"
    private static let hasUndo =
        "[...document.querySelectorAll('#notice button')].some(each => each.textContent === 'Undo')"

    struct Whole: Decodable {
        struct Note: Decodable, Equatable {
            var id: String
            var text: String
            var user: String?
            var at: String
        }
        struct Entry: Decodable, Equatable {
            var op: String
            var user: String?
            var at: String
        }
        var id: String
        var name: String
        var kind: String?
        var user: String?
        var created: String
        var lat: Double
        var lng: Double
        var notes: [Note]
        var history: [Entry]
    }

    /// A refusal is seen wherever the form is scrolled, and what was typed stays.
    @Test(arguments: [(1440, 900), (390, 844)])
    func theReasonOfARefusalIsInView(_ width: Int, _ height: Int) async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            try await browser.command(
                "Emulation.setDeviceMetricsOverride",
                ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500])
            try await browser.choose("Add here")
            try await browser.wait("the form", Self.isWriting)
            try await browser.run("document.querySelector('#editor details').open = true")
            let isSeen = """
                [...document.querySelectorAll(arguments[0])].every(each => {
                  const { x, y, width, height } = each.getBoundingClientRect();
                  const at = document.elementFromPoint(x + width / 2, y + height / 2);
                  return height > 0 && at?.closest('.foot');
                })
                """
            try await browser.wait("the buttons", isSeen, "#editor .foot button")
            // White space is no name, which the page says itself.
            try await browser.type("  ")
            try await browser.press(.enter)
            try await browser.wait(
                "the reason", "document.querySelector('#editor [role=alert]').textContent.includes('Name is empty')")
            try await browser.wait("the reason in view", isSeen, "#editor .foot button, #editor [role=alert]")
            stage.storage.withLock { $0 }.slay()
            try await browser.wait("the state", "document.querySelector('#live').dataset.state === 'behind'")
            try await browser.type("Kiosk")
            try await browser.press(.enter)
            try await browser.wait(
                "the reason", "document.querySelector('#editor [role=alert]').textContent.includes('does not answer')")
            try await browser.wait("the reason in view", isSeen, "#editor .foot button, #editor [role=alert]")
            #expect(
                try await browser.value("return document.querySelector('#editor [name=name]').value.trim()") == "Kiosk")
        }
    }

    @Test
    func theKindIsChosenFromTheKindsThatTheServiceKnows() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            try await browser.choose("Add here")
            try await browser.wait("the form", Self.isWriting)
            try await browser.type("Pump")
            try await browser.choose("Kind")
            try await browser.wait("the kinds", "document.querySelector('#dialog .tiles button')")
            try await browser.type("petrol")
            try await browser.press(.enter)
            try await browser.wait("the form alone", "!document.querySelector('#dialog')")
            // The focus is where the person left the form.
            #expect(try await browser.focus().name.hasPrefix("Kind: Gas"))
            // A word of one's own is possible, too.
            try await browser.press(.enter)
            try await browser.type("oilery")
            try await browser.press(.enter)
            try await browser.wait("the other kind", "document.querySelector('#editor [name=kind]').value === 'oilery'")
            try await browser.press(.enter)
            try await browser.type("petrol")
            try await browser.press(.enter)
            try await browser.wait("the kind", "document.querySelector('#editor [name=kind]').value === 'gas_station'")
            try await browser.choose("Add")
            try await browser.wait("it", Self.isRead, "Pump")
            #expect(try await stage.landmarks().first { $0.name == "Pump" }?.kind == "gas_station")
            try await stage.expectNoComplaints()
        }
    }

    /// The pin goes where the person says while they see the map, by the keyboard and as text.
    @Test
    func thePinIsMovedWhileTheFormStays() async throws {
        try await withHarbour("#at=12/-33.9/151.2", isIntroduced: true) { stage, browser in
            try await browser.choose("Add here")
            try await browser.wait("the form", Self.isWriting)
            try await browser.type("Kiosk")
            let text = "document.querySelector('#editor [name=position]').value"
            try await browser.wait(
                "the centre",
                "\(text).split(',').every((each, place) => Math.abs(each - [-33.9, 151.2][place]) < 0.001)")
            try await browser.choose("Move pin")
            try await browser.wait("the mode", "document.querySelector('#editor .here').ariaPressed === 'true'")
            try await browser.tab(to: "Map", isBackward: true)
            try await browser.press(.right)
            try await browser.wait("a view further east", "Number(location.hash.split('/')[2].split('&')[0]) > 151.21")
            try await browser.press(.enter)
            try await browser.wait("the new place", "Number(\(text).split(',')[1]) > 151.21")
            #expect(try await browser.value("return document.querySelector('#editor .here').ariaPressed") == "false")
            try await browser.tab(to: "Position")
            try await browser.pressControl("a")
            try await browser.type("north of here")
            try await browser.press(.enter)
            try await browser.wait(
                "the reason", "document.querySelector('#editor [role=alert]').textContent.includes('latitude')")
            try await browser.pressControl("a")
            try await browser.type("-33.91, 151.25")
            try await browser.press(.enter)
            try await browser.wait("it", Self.isRead, "Kiosk")
            let made = try #require(try await stage.landmarks().first { $0.name == "Kiosk" })
            #expect(made.lat == -33.91 && made.lng == 151.25)
        }
    }

    /// What somebody has begun to write stays, whatever else they press.
    @Test
    func whatWasBegunIsNotThrownAway() async throws {
        try await withHarbour(isIntroduced: true) { _, browser in
            try await browser.choose("Add here")
            try await browser.wait("the form", Self.isWriting)
            try await browser.type("Kiosk")
            try await browser.choose("Add here")
            try await browser.wait(
                "the notice", "document.querySelector('#notice').textContent.includes('begun to write')")
            #expect(try await browser.value("return document.querySelector('#editor [name=name]').value") == "Kiosk")
            #expect(try await browser.focus().name == "Name")
        }
    }

    /// Undo of Remove gives back everything: shared links and followers go on.
    @Test
    func undoOfRemoveRestores() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            let id = try #require(try await stage.landmarks().first { $0.name == "Luna Park" }?.id)
            _ = try await stage.ask("POST", "/v1/landmarks/\(id)/notes", user: "carl", ["text": "Closed."])
            let before = try await whole(stage, id)
            try await browser.choose("Luna Park")
            try await browser.wait("the landmark", "document.querySelector('#detail .note')")
            try await browser.choose("Remove")
            try await stage.listed(4)
            try await browser.pressControl("z")
            try await browser.wait("its return", Self.isRead, "Luna Park")
            let after = try await whole(stage, id)
            #expect(after.user == "bob" && after.created == before.created && after.notes == before.notes)
            #expect(after.kind == "park" && after.lat == before.lat && after.lng == before.lng)
            #expect(after.history.suffix(before.history.count) == before.history[...])
            #expect(after.history.count > before.history.count)
            try await stage.listed(5)
            #expect(try await browser.value("return location.hash.includes(arguments[0])", id))
            try await stage.expectNoComplaints()
        }
    }

    /// A message that offers Undo stays while others come and go, and a person's own change is no news to them.
    @Test
    func undoStaysAndOwnChangesAreNoNews() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.addHarbour()
            try await browser.open(stage.address)
            try await stage.introduce()
            // Messages without an action pass quickly here.
            let source = """
                const set = setTimeout;
                window.setTimeout = (act, ms, ...rest) => set(act, ms > 6000 && ms < 20000 ? 300 : ms, ...rest);
                """
            try await browser.command("Page.addScriptToEvaluateOnNewDocument", ["source": source])
            let area = "-33.95,151.1;-33.95,151.4;-33.75,151.4;-33.75,151.1"
            try await stage.openPage("#at=12/-33.86/151.21&area=\(area)", listing: 5)
            try await browser.run(
                """
                window.heard = [];
                new MutationObserver(() => heard.push(document.querySelector('#notice').textContent))
                  .observe(document.querySelector('#notice'), { childList: true });
                """)
            try await browser.choose("Add here")
            try await browser.wait("the form", Self.isWriting)
            try await browser.type("Kiosk")
            try await browser.press(.enter)
            try await browser.wait("it", Self.isRead, "Kiosk")
            try await browser.wait("the undo", Self.hasUndo)
            try await stage.add("Stall", -33.862, 151.212, user: "bob")
            try await browser.wait("the news", "heard.some(each => each.includes('Stall'))")
            try await browser.wait(
                "the end of the news", "!document.querySelector('#notice').textContent.includes('Stall')")
            #expect(try await browser.value("return \(Self.hasUndo)"))
            let texts: String = try await browser.value("return heard.join()")
            #expect(!texts.contains("Kiosk was added in the area"))
            try await browser.pressControl("z")
            try await stage.listed(6)
            #expect(try await stage.landmarks().allSatisfy { $0.name != "Kiosk" })
            #expect(try await browser.value("return !\(Self.hasUndo)"))
        }
    }

    /// Without accounts notes belong to a name: nobody is offered what the service refuses.
    @Test
    func onlyOwnNotesHaveButtons() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            let id = try #require(try await stage.landmarks().first { $0.name == "Luna Park" }?.id)
            for user in ["ann", "Maya"] {
                _ = try await stage.ask("POST", "/v1/landmarks/\(id)/notes", user: user, ["text": "By \(user)."])
            }
            try await browser.choose("Luna Park")
            try await browser.wait("the notes", "document.querySelectorAll('#detail .note').length === 2")
            let owned: [String] = try await browser.value(
                """
                return [...document.querySelectorAll('#detail .note')].filter(each => each.querySelector('button'))
                  .map(each => each.firstChild.textContent)
                """)
            #expect(owned == ["By Maya."])
            // With another name the buttons are at other notes.
            try await browser.choose("You are Maya")
            try await browser.wait("the form", "document.querySelector('#dialog')?.open")
            try await browser.pressControl("a")
            try await browser.type("ann")
            try await browser.press(.enter)
            try await browser.wait(
                "other buttons", "document.querySelector('#detail .note:has(button)')?.textContent.includes('By ann.')")
            #expect(try await browser.value("return document.querySelector('#person').textContent") == "A")
        }
    }

    /// A name that is written from right to left, or that says so, changes nothing around it.
    @Test
    func namesKeepTheirDirectionToThemselves() async throws {
        try await withHarbour(isIntroduced: true) { _, browser in
            try await browser.choose("Add here")
            try await browser.wait("the form", Self.isWriting)
            #expect(try await browser.value("return document.querySelector('#editor [name=name]').dir") == "auto")
            try await browser.type("مقهى\u{202e}evil")
            try await browser.press(.enter)
            try await browser.wait("the notice", "document.querySelector('#notice bdi')")
            #expect(
                try await browser.value(
                    "return getComputedStyle(document.querySelector('#notice bdi')).unicodeBidi") == "isolate")
            #expect(
                try await browser.value("return document.querySelector('#notice span').lastChild.data") == " was added."
            )
            #expect(try await browser.value("return document.querySelector('#detail h2').dir") == "auto")
        }
    }

    private func whole(_ stage: MapStage, _ id: String) async throws -> Whole {
        try JSONDecoder().decode(Whole.self, from: Data(try await stage.ask("GET", "/v1/landmarks/\(id)").text.utf8))
    }
}
