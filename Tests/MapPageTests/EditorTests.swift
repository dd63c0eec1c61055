// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// The form in the panel, and what the page says after it.
@Suite(.inTurn, .inBrowser, .serialized)
struct EditorTests {
    private static let isRead = "document.querySelector('#detail h2')?.textContent === arguments[0]"

    /// A refusal is seen wherever the form is scrolled, and what was typed stays.
    @Test(arguments: [(1440, 900), (390, 844)])
    func theReasonOfARefusalIsInView(_ width: Int, _ height: Int) async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            try await browser.command(
                "Emulation.setDeviceMetricsOverride",
                ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500])
            try await browser.choose("Add here")
            try await browser.wait("the form", LandmarkForm.isOpen)
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
            try await browser.wait("the form", LandmarkForm.isOpen)
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
            try await browser.wait("the form", LandmarkForm.isOpen)
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
            try await browser.wait("the form", LandmarkForm.isOpen)
            try await browser.type("Kiosk")
            try await browser.choose("Add here")
            try await browser.wait(
                "the notice", "document.querySelector('#notice').textContent.includes('begun to write')")
            #expect(try await browser.value("return document.querySelector('#editor [name=name]').value") == "Kiosk")
            #expect(try await browser.focus().name == "Name")
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
            try await browser.wait("the form", LandmarkForm.isOpen)
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
}
