// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

@Suite("Undo on the map's page", .inTurn, .inBrowser, .serialized)
struct UndoTests {
    private static let isRead = "document.querySelector('#detail h2')?.textContent === arguments[0]"
    private static let hasUndo =
        "[...document.querySelectorAll('#notice button')].some(each => each.textContent === 'Undo')"

    private struct Whole: Decodable {
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
            try await browser.wait("the form", LandmarkForm.isOpen)
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

    private func whole(_ stage: MapStage, _ id: String) async throws -> Whole {
        try JSONDecoder().decode(Whole.self, from: Data(try await stage.ask("GET", "/v1/landmarks/\(id)").text.utf8))
    }
}
