// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The kinds as tiles, by keyboard alone.
@Suite(.inTurn, .inBrowser, .serialized)
struct KindTilesTests {
    private static let tiles =
        "[...document.querySelectorAll('.tiles button')].map((each) => each.lastChild.textContent)"

    @Test
    func kindsAreFoundAndSeveralAreChosen() async throws {
        try await withHarbour { stage, browser in
            try await browser.choose("Kind All")
            try await browser.wait("the table", "\(Self.tiles).length > 90")
            // What the map has comes first, also kinds that no table knows.
            #expect(try await browser.value("return \(Self.tiles).slice(0, 3).sort().join()") == "Beach,Building,Park")
            #expect(try await browser.focus().name == "Search kinds")
            // By a synonym, and with a typing mistake.
            for text in ["petrol", "petrlo"] {
                try await browser.pressControl("a")
                try await browser.type(text)
                try await browser.wait("the one", "\(Self.tiles).join() === 'Gas station'")
            }
            try await browser.pressControl("a")
            try await browser.type("xyzzy")
            try await browser.wait(
                "the word", "document.querySelector('.kinds [role=status]').textContent.startsWith('No kind')")
            try await browser.pressControl("a")
            try await browser.type("bea")
            try await browser.wait("beaches", "\(Self.tiles)[0] === 'Beach'")
            try await browser.press(.down)
            #expect(try await browser.focus() == ("button", "Beach"))
            try await browser.type(" ")
            try await stage.listed(3)
            try await browser.press(.up)
            try await browser.pressControl("a")
            try await browser.type("par")
            try await browser.wait("parks", "\(Self.tiles)[0] === 'Park'")
            try await browser.press(.down)
            try await browser.press(.right)
            #expect(try await browser.focus().name == browser.value("return \(Self.tiles)[1]"))
            try await browser.press(.left)
            try await browser.press(.enter)
            try await stage.listed(4)
            #expect(try await browser.value("return document.activeElement.ariaPressed") == "true")
            try await browser.press(.escape)
            try await browser.wait("the button", "document.activeElement.id === 'kind'")
            #expect(try await browser.focus().name == "Kind Beach + 1")
            #expect(try await browser.value("return location.hash.includes('kind=beach&kind=park')"))
            // What was chosen is first the next time, and all can be had again.
            try await browser.press(.enter)
            try await browser.wait(
                "the chosen",
                "[...document.querySelectorAll('.tiles button')].slice(0, 2).every((each) => each.ariaPressed === 'true')"
            )
            try await browser.choose("All kinds")
            try await browser.choose("Done")
            try await stage.listed(5)
            #expect(try await browser.focus().name == "Kind All")
            try await stage.expectNoComplaints()
        }
    }
}
