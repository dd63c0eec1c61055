// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing

@Suite("Folded text", .inShortTurn)
struct TextFoldingTests {
    @Test(
        "accents do not count, whether they are composed or not; other letters stay",
        arguments: [
            ("Café", "Cafe"), ("Cafe\u{301}", "Cafe"), ("ŽIŽKOV", "ZIZKOV"), ("Ærø", "AEro"), ("Straße", "Strasse"),
            ("Ελλάδα", "Ελλαδα"), ("東京", "東京"), ("", ""), ("plain", "plain"),
        ])
    func withoutAccents(text: String, folded: String) {
        // Capital ligatures become small letters: search and sorting fold case as well.
        #expect(TextFolding.withoutAccents(text).lowercased() == folded.lowercased())
    }

    @Test(
        "sorted in small letters and one width",
        arguments: [
            ("Ångström", "angstrom"), ("ＡＢＣ！", "abc!"), ("ΑΘΗΝΑ", "αθηνα"), ("İzmir", "izmir"), ("BONDI", "bondi"),
        ])
    func forSorting(text: String, folded: String) {
        #expect(TextFolding.forSorting(text) == folded)
    }
}
