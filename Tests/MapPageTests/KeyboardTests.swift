// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// Each task of the page, once by keyboard alone.
@Suite(.inTurn, .inBrowser, .serialized)
struct KeyboardTests {
    private static let isAsking = "document.querySelector('#dialog')?.open"
    private static let isReading = "!document.querySelector('#detail').hidden"

    @Test
    func theMapMovesAndZooms() async throws {
        try await withHarbour("#at=10/-33.86/151.21") { stage, browser in
            try await browser.tab(to: "Map")
            try await browser.press(.plus)
            try await browser.wait("a closer view", "location.hash.startsWith('#at=11/')")
            try await browser.press(.right)
            try await browser.wait("a view further east", "Number(location.hash.split('/')[2].split('&')[0]) > 151.22")
            try await browser.choose("Show all")
            try await browser.wait("another view", "!location.hash.startsWith('#at=11/')")
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func aLandmarkIsAddedAndCancelAddsNothing() async throws {
        try await withHarbour("#at=12/-33.9/151.2") { stage, browser in
            // The name is asked for once, before the form.
            try await browser.choose("Add here")
            try await browser.wait("the question for the name", Self.isAsking)
            try await browser.type("Maya")
            try await browser.press(.enter)
            try await browser.wait("the form", LandmarkForm.isOpen)
            try await browser.type("Nowhere")
            try await browser.press(.escape)
            try await browser.wait("the end of the form", "!(\(LandmarkForm.isOpen))")
            #expect(try await browser.focus().name == "Add here")
            try await browser.press(.enter)
            try await browser.wait("the form again", LandmarkForm.isOpen)
            try await browser.type("Nowhere too")
            try await browser.choose("Cancel")
            try await browser.wait("the end of the form", "!(\(LandmarkForm.isOpen))")
            #expect(try await stage.landmarks().count == 5)

            try await browser.press(.enter)
            try await browser.wait("the form once more", LandmarkForm.isOpen)
            try await browser.type("Kite corner")
            try await browser.tab(to: "Note")
            try await browser.type("Windy.")
            try await browser.choose("Add")
            try await browser.wait("it", "document.querySelector('#detail h2')?.textContent === 'Kite corner'")
            try await stage.listed(6)
            let made = try #require(try await stage.landmarks().first { $0.name == "Kite corner" })
            #expect(made.user == "Maya" && abs(made.lat + 33.9) < 0.001 && abs(made.lng - 151.2) < 0.001)
            #expect(try await stage.landmark(made.id).notes?.map(\.text) == ["Windy."])
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func aLandmarkIsOpenedEditedMovedAndNoted() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            try await browser.choose("Luna Park")
            try await browser.wait("the landmark", Self.isReading)
            #expect(try await browser.focus() == ("heading", "Luna Park"))
            try await browser.choose("Edit")
            try await browser.wait("the form", LandmarkForm.isOpen)
            try await browser.pressControl("a")
            try await browser.type("Moon Park")
            try await browser.press(.enter)
            try await browser.wait("the new name", "document.querySelector('#detail h2').textContent === 'Moon Park'")
            let id = try #require(try await stage.landmarks().first { $0.name == "Moon Park" }?.id)

            try await browser.choose("Move here")
            try await browser.wait("the new place", "document.querySelector('#detail').innerText.includes('-33.86000')")
            #expect(try await stage.landmark(id).lat == -33.86)

            try await browser.choose("Add a note")
            try await browser.wait("the form of a note", LandmarkForm.isOpen)
            try await browser.type("Open at night.")
            try await browser.choose("Save")
            try await browser.wait("the note", "document.querySelector('.note')?.innerText.includes('at night')")
            try await browser.choose("Edit note")
            try await browser.wait("the note's form", LandmarkForm.isOpen)
            try await browser.pressControl("a")
            try await browser.type("Closed.")
            try await browser.choose("Save")
            try await browser.wait("the new note", "document.querySelector('.note')?.innerText.includes('Closed.')")
            #expect(try await stage.landmark(id).notes?.map(\.text) == ["Closed."])
            try await browser.choose("Remove note")
            try await browser.wait("its end", "!document.querySelector('.note')")
            #expect(try await stage.landmark(id).notes?.isEmpty == true)
            try await browser.pressControl("z")
            try await browser.wait("its return", "document.querySelector('.note')?.innerText.includes('Closed.')")

            // Back where it was opened.
            try await browser.press(.escape)
            try await browser.wait("the list", "!document.querySelector('#browse').hidden")
            #expect(try await browser.focus().name.hasPrefix("Moon Park"))
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func aRemovalIsUndone() async throws {
        try await withHarbour(isIntroduced: true) { stage, browser in
            let before = try await stage.landmarks().map(\.name)
            try await browser.choose("Luna Park")
            try await browser.wait("the landmark", Self.isReading)
            try await browser.choose("Remove")
            try await browser.wait("the notice", "document.querySelector('#notice button')")
            #expect(try await stage.landmarks().count == 4)
            try await browser.choose("Undo")
            try await browser.wait("its return", Self.isReading)
            #expect(try await stage.landmarks().map(\.name) == before)

            // The notice is far from the list for who tabs: a shortcut does the same.
            try await browser.choose("Remove")
            try await browser.wait("the notice", "document.querySelector('#notice button')")
            try await browser.pressControl("z")
            try await browser.wait("its return", Self.isReading)
            #expect(try await stage.landmarks().map(\.name) == before)
        }
    }

    @Test
    func landmarksAreSearchedAndFiltered() async throws {
        try await withHarbour { stage, browser in
            try await browser.tab(to: "Search names")
            try await browser.type("coog")
            try await stage.listed(1)
            try await browser.pressControl("a")
            // Enter at once opens what was asked for, not what was listed before.
            try await browser.type("manly")
            try await browser.press(.enter)
            try await browser.wait("the landmark", Self.isReading)
            #expect(try await browser.value("return document.querySelector('#detail h2').textContent") == "Manly Beach")
            try await browser.press(.escape)
            try await browser.tab(to: "Search names", isBackward: true)
            try await browser.pressControl("a")
            try await browser.type(" ")
            try await stage.listed(5)
            try await chooseBeaches(stage)
            try await browser.choose("More")
            try await browser.tab(to: "Person")
            try await browser.type("bo")
            try await stage.listed(2)
            #expect(try await browser.value("return location.hash.includes('kind=beach&user=bob')"))
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func aDistanceIsMeasured() async throws {
        try await withHarbour { stage, browser in
            try await browser.choose("Measure")
            try await browser.tab(to: "Map", isBackward: true)
            try await browser.press(.enter)
            let before: String = try await browser.value("return location.hash")
            try await browser.press(.right)
            try await browser.wait("a view further east", "location.hash !== arguments[0]", before)
            try await browser.press(.enter)
            try await browser.wait("the distance", "document.querySelector('#task').innerText.includes('km E')")
            // Escape ends it.
            try await browser.press(.escape)
            try await browser.wait("its end", "document.querySelector('#measure').ariaPressed === 'false'")
        }
    }

    @Test
    func aSharedLinkOpensTheSameView() async throws {
        try await withHarbour { stage, browser in
            try await chooseBeaches(stage)
            try await browser.choose("Bondi Beach")
            try await browser.wait("the landmark", Self.isReading)
            try await browser.tab(to: "Share", isBackward: true)
            try await browser.press(.enter)
            try await browser.wait("the answer", "document.querySelector('#notice').innerText.includes('link')")
            let link: String = try await browser.value("return location.href")
            _ = try await browser.newWindow()
            try await browser.open(link)
            try await browser.wait("it", "document.querySelector('#detail h2')?.textContent === 'Bondi Beach'")
            try await stage.listed(3)
            #expect(try await browser.value("return location.href") == link)
        }
    }

    @Test
    func aSumIsConverted() async throws {
        try await withHarbour { stage, browser in
            try await browser.choose("Menu")
            try await browser.choose("Currencies")
            let isSum = "document.querySelector('#dialog .sum')?.textContent.replace(/\\s/g, ' ') === arguments[0]"
            try await browser.wait("the sum", isSum, "AUD 142.36")
            try await browser.type("12.50")
            try await browser.wait("another sum", isSum, "AUD 17.79")
            // A comma is a point where it cannot separate thousands.
            try await browser.pressControl("a")
            try await browser.type("100")
            try await browser.wait("the first sum", isSum, "AUD 142.36")
            try await browser.pressControl("a")
            try await browser.type("12,50")
            try await browser.wait("another sum", isSum, "AUD 17.79")
            try await browser.pressControl("a")
            try await browser.type("much")
            try await browser.wait(
                "the reason", "document.querySelector('#dialog [role=alert]').textContent.includes('as a number')")
            try await browser.pressControl("a")
            try await browser.type("12.50")
            try await browser.tab(to: "Currency")
            try await browser.type("JPY")
            try await browser.wait("another currency", isSum, "AUD 0.11")
            try await browser.choose("Close")
            try await browser.choose("Cancel")
            try await browser.wait("the map", "!\(Self.isAsking)")
            try await stage.expectNoComplaints()
        }
    }

    private func chooseBeaches(_ stage: MapStage) async throws {
        try await stage.browser.choose("Kind")
        // It may still have to come from the service.
        try await stage.browser.wait("the box", "document.activeElement.closest('#dialog')")
        try await stage.browser.type("beach")
        try await stage.browser.press(.enter)
        try await stage.listed(3)
        try await stage.browser.choose("Done")
    }
}
