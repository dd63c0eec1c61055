// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// Several windows, and the command line.
@Suite(.inTurn, .inBrowser, .serialized)
struct TogetherTests {
    private static let names =
        "[...document.querySelectorAll('#list .name')].map(each => each.textContent).sort().join('|')"

    @Test
    func twoWindowsSeeEachOthersChanges() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.addHarbour()
            try await browser.open(stage.address)
            try await stage.introduce("Maya")
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            let first = try await browser.window()
            let second = try await browser.newWindow()
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            try await browser.choose("Luna Park")
            try await browser.wait("the landmark", "!document.querySelector('#detail').hidden")

            try await browser.turn(to: first)
            try await browser.choose("Luna Park")
            try await browser.choose("Edit")
            try await browser.wait("the form", "!document.querySelector('#editor').hidden")
            try await browser.pressControl("a")
            try await browser.type("Moon Park")
            try await browser.press(.enter)
            try await browser.turn(to: second)
            // What is open there changes too, and so does the list under it.
            try await browser.wait("the name", "document.querySelector('#detail h2').textContent === 'Moon Park'")
            try await browser.wait("the row", "\(Self.names).includes('Moon Park')")
            try await browser.choose("Remove")
            try await stage.listed(4)
            try await browser.turn(to: first)
            try await stage.listed(4)
            #expect(try await browser.value("return !\(Self.names).includes('Park')"))
        }
    }

    /// Somebody else's change of the landmark that is open leaves the focus where it is.
    @Test
    func theFocusStaysWhileOthersEdit() async throws {
        try await withMap { stage in
            let browser = stage.browser
            let id = try await stage.add("Luna Park", -33.8476, 151.2098)
            try await stage.openPage(listing: 1)
            try await browser.choose("Luna Park")
            try await browser.wait("the landmark", "!document.querySelector('#detail').hidden")
            try await browser.tab(to: "Add a note")
            let edited = try await stage.ask("PATCH", "/v1/landmarks/\(id)", user: "bob", ["name": "Bob's Park"])
            #expect(edited.status == 200)
            try await browser.wait("the name", "document.querySelector('#detail h2').textContent === \"Bob's Park\"")
            #expect(try await browser.focus().name == "Add a note")
        }
    }

    /// What is made in the page shows on the command line, and the other way round.
    @Test
    func theCommandLineAndThePageSeeEachOther() async throws {
        try await withHarbour("#at=12/-33.9/151.2", isIntroduced: true) { stage, browser in
            let tail = try stage.waymark("tail")
            defer { tail.slay() }
            _ = try await tail.err.next { $0.contains("Following") }
            let added = try stage.waymark("add", "Kiosk", "-33.87,151.22", "--kind", "cafe", "--as", "bob")
            try await stage.listed(6)
            #expect(try await browser.value("return \(Self.names).includes('Kiosk')"))
            #expect(try await added.ended() == 0)
            _ = try await tail.out.next { $0.contains("Kiosk") }

            try await browser.choose("Add here")
            try await browser.wait("the form", "!document.querySelector('#editor').hidden")
            try await browser.type("Kite corner")
            try await browser.press(.enter)
            try await stage.listed(7)
            let line = try await tail.out.next { $0.contains("Kite corner") }
            #expect(line.contains("added") && line.contains("by Maya"))
        }
    }
}
