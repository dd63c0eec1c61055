// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// Two people edit one landmark. Nobody's change is lost, and each stands in the history under who made it.
@Suite(.inTurn, .inBrowser, .serialized)
struct MergeTests {
    private static let isAsked = "document.querySelector('#dialog table')"

    struct Full: Decodable {
        struct Entry: Decodable {
            var user: String?
            var changed: [String]?
        }
        struct Note: Decodable { var text: String }
        var name: String
        var lat: Double
        var lng: Double
        var kind: String?
        var phone: String?
        var address: String?
        var rating: Double?
        var user: String?
        var notes: [Note]
        var history: [Entry]
    }

    @Test
    func disjointFieldsAreBothKept() async throws {
        try await withTwo { ann, bob, id in
            try await ann.browser.fill("phone", "+61 2 99")
            try await ann.browser.save()
            _ = try await ann.ask("POST", "/v1/landmarks/\(id)/notes", user: "Carl", ["text": "Closed."])
            try await bob.browser.fill("rating", "4")
            try await bob.browser.choose(kind: nil)
            try await bob.browser.save()
            let found = try await full(bob, id)
            #expect(found.phone == "+61 2 99" && found.rating == 4 && found.kind == nil)
            #expect(found.notes.map(\.text) == ["Closed."])
            #expect(found.history.map(\.user) == ["Bob", "Carl", "Ann", "ann"])
            #expect(found.history.map(\.changed) == [["kind", "rating"], ["notes"], ["phone"], []])
            // Undoing it takes back nobody else's change either.
            _ = try await ann.ask("PATCH", "/v1/landmarks/\(id)", user: "Ann", ["address": "Milsons Point"])
            let kind = "document.querySelector('#detail .line').textContent.includes('park')"
            try await bob.browser.wait("the end of the kind", "!\(kind)")
            try await bob.browser.pressControl("z")
            try await bob.browser.wait("the kind", kind)
            let undone = try await full(bob, id)
            #expect(undone.kind == "park" && undone.rating == nil && undone.address == "Milsons Point")
            #expect(undone.history.first?.user == "Bob" && undone.history.first?.changed == ["kind", "rating"])
            try await bob.expectNoComplaints(but: ["412"])
        }
    }

    @Test(arguments: ["theirs", "mine"])
    func forTheSameFieldThePersonChooses(_ choice: String) async throws {
        try await withTwo { ann, bob, id in
            for (field, text) in [("name", "Ann's Park"), ("phone", "1")] { try await ann.browser.fill(field, text) }
            // Both type the same here: that is no conflict.
            for browser in [ann.browser, bob.browser] { try await browser.choose(kind: "fair") }
            try await ann.browser.save()
            for (field, text) in [("name", "Bob's Park"), ("address", "1 Olympic Drive")] {
                try await bob.browser.fill(field, text)
            }
            let browser = bob.browser
            try await browser.press(.enter)
            try await browser.wait("the question", Self.isAsked)
            #expect(try await rows(browser) == ["Name|Ann's Park|Bob's Park"])
            // Leaving the question leaves nothing that was typed.
            try await browser.press(.escape)
            try await browser.wait("the form alone", "!document.querySelector('#dialog')")
            #expect(
                try await browser.value(
                    "return [...document.querySelectorAll('#editor [name]')].map(each => each.value)")
                    == ["Bob's Park", "fair", "-33.8476, 151.2098", "", "1 Olympic Drive", "", "", ""])
            #expect(try await full(bob, id).name == "Ann's Park")
            #expect(try await browser.focus().name == "Address")
            try await browser.press(.enter)
            try await browser.wait("the question", Self.isAsked)
            #expect(try await browser.focus().role == "radio")
            // Nothing is chosen before the person does.
            try await browser.press(.enter)
            #expect(try await browser.value("return Boolean(\(Self.isAsked))"))
            try await browser.press(choice == "mine" ? .right : .space)
            try await browser.press(.enter)
            try await browser.wait("the end of the question", LandmarkForm.isClosed)
            let found = try await full(bob, id)
            #expect(found.name == (choice == "mine" ? "Bob's Park" : "Ann's Park"))
            #expect(found.phone == "1" && found.kind == "fair" && found.address == "1 Olympic Drive")
            #expect(found.history.first?.user == "Bob")
            #expect(found.history.first?.changed == (choice == "mine" ? ["name", "address"] : ["address"]))
        }
    }

    @Test
    func whatWasRemovedMeanwhileIsBroughtBackIfThePersonWants() async throws {
        try await withTwo { ann, bob, id in
            _ = try await ann.ask("POST", "/v1/landmarks/\(id)/notes", user: "Carl", ["text": "Closed."])
            try await ann.browser.press(.escape)
            try await ann.browser.wait("the note", "document.querySelector('#detail').innerText.includes('Closed.')")
            try await ann.browser.choose("Remove")
            try await ann.listed(0)
            let browser = bob.browser
            try await browser.fill("name", "Bob's Park")
            try await browser.press(.enter)
            let asked = "document.querySelector('#dialog')?.innerText.includes('was removed')"
            try await browser.wait("the question", asked)
            try await browser.choose("Cancel")
            try await browser.wait(
                "the form", "!document.querySelector('#dialog') && \(LandmarkForm.isOpen)")
            #expect(
                try await browser.value("return document.querySelector('#editor [name=name]').value") == "Bob's Park")
            #expect(try await bob.landmarks().isEmpty)
            try await browser.press(.enter)
            try await browser.wait("the question", asked)
            try await browser.choose("Bring it back")
            try await browser.wait("the end of the form", LandmarkForm.isClosed)
            let found = try await full(bob, id)
            #expect(found.name == "Bob's Park" && found.kind == "park" && found.user == "ann")
            #expect(found.notes.map(\.text) == ["Closed."])
        }
    }

    /// The form rounds a position; what nobody touched is never sent.
    @Test
    func anUntouchedPositionStays() async throws {
        try await withMap { stage in
            let id = try await stage.add("Luna Prak", -33.81234567, 151.01234567)
            try await stage.openForm("Bob", "Luna Prak")
            try await stage.browser.fill("name", "Luna Park")
            try await stage.browser.save()
            var found = try await full(stage, id)
            #expect(found.name == "Luna Park" && found.lat == -33.81234567 && found.lng == 151.01234567)
            #expect(found.history.first?.changed == ["name"])
            try await stage.browser.choose("Edit")
            try await stage.browser.fill("position", "-33.9, 151.012346")
            try await stage.browser.save()
            found = try await full(stage, id)
            #expect(found.lat == -33.9 && found.lng == 151.01234567)
            // Saving what nobody touched is no change.
            try await stage.browser.choose("Edit")
            try await stage.browser.save()
            #expect(try await full(stage, id).history.count == found.history.count)
        }
    }

    @Test
    func ofANoteThatChangedInAnotherWindowThePersonChooses() async throws {
        try await withMap { stage in
            let (browser, id) = (stage.browser, try await stage.add("Luna Park", -33.8476, 151.2098))
            _ = try await stage.ask("POST", "/v1/landmarks/\(id)/notes", user: "Bob", ["text": "Open."])
            try await stage.openForm("Bob", button: "Edit note")
            let list = try await stage.ask("GET", "/v1/landmarks/\(id)").text
            let note = try #require(list.firstMatch(of: /"notes":\[\{"id":"([^"]+)"/)?.1)
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)/notes/\(note)", user: "Bob", ["text": "Closed."])
            try await browser.fill("text", "Shut.")
            try await browser.choose("Save")
            try await browser.wait("the question", Self.isAsked)
            #expect(try await rows(browser) == ["Note|Closed.|Shut."])
            #expect(try await full(stage, id).notes.map(\.text) == ["Closed."])
            try await browser.press(.space)
            try await browser.press(.enter)
            try await browser.wait("the end of the question", LandmarkForm.isClosed)
            #expect(try await full(stage, id).notes.map(\.text) == ["Closed."])
        }
    }

    /// A landmark that changes all the time: the page gives up, says so and keeps the form.
    @Test
    func aConflictThatNeverEndsIsTold() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Luna Park", -33.8476, 151.2098)
            try await stage.openForm("Bob")
            try await browser.run(
                """
                const ask = fetch;
                window.tried = 0;
                window.fetch = (path, options) => {
                  if (options?.method !== "PATCH") return ask(path, options);
                  window.tried += 1;
                  return Promise.resolve(Response.json({ code: "version_mismatch", detail: "Too late." }, { status: 412 }));
                };
                """)
            try await browser.fill("name", "Bob's Park")
            try await browser.press(.enter)
            try await browser.wait(
                "the reason",
                "document.querySelector('#editor [role=alert]').textContent.includes('at the same moment')")
            #expect(try await browser.value("return window.tried") == 6)
            #expect(
                try await browser.value("return document.querySelector('#editor [name=name]').value") == "Bob's Park")
        }
    }

    // MARK: Two people

    /// Both have the same landmark's form open.
    private func withTwo(_ body: (MapStage, MapStage, String) async throws -> Void) async throws {
        try await withMap { ann in
            let id = try await ann.add("Luna Park", -33.8476, 151.2098, kind: "park")
            let directory = "\(ann.directory)/second"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let browser = try await Browser(directory: directory)
            let bob = MapStage(
                browser: browser, directory: ann.directory, port: ann.port, storage: ann.storage, query: ann.query)
            do {
                try await ann.openForm("Ann")
                try await bob.openForm("Bob")
                try await body(ann, bob, id)
            } catch {
                await browser.stop()
                throw error
            }
            await browser.stop()
        }
    }

    private func rows(_ browser: Browser) async throws -> [String] {
        try await browser.value(
            """
            return [...document.querySelectorAll('#dialog tbody tr')].map(row =>
              [...row.children].map(cell => cell.textContent.trim()).join('|'))
            """)
    }

    private func full(_ stage: MapStage, _ id: String) async throws -> Full {
        try JSONDecoder().decode(Full.self, from: Data(try await stage.ask("GET", "/v1/landmarks/\(id)").text.utf8))
    }
}
