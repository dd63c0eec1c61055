// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageRules

@Suite("Text search", .inShortTurn)
struct SearchTests {
    @Test(arguments: Home.allCases)
    func foldsCaseAndAccentsAndTakesPrefixes(home: Home) async throws {
        let client = try EngineClient(home)
        try client.add("Patiāla")
        try client.add("Milsons Points")
        try client.add("Zürich Flughafen")
        try client.add("Αθήνα")
        try client.add("Łódź")
        #expect(try await client.search("patiala") == ["Patiāla"])
        #expect(try await client.search("PATIĀ") == ["Patiāla"])
        #expect(try await client.search("point") == ["Milsons Points"])
        #expect(try await client.search("flug zur") == ["Zürich Flughafen"])
        #expect(try await client.search("αθηνα") == ["Αθήνα"])
        #expect(try await client.search("ΑΘΉΝΑ") == ["Αθήνα"])
        #expect(try await client.search("lodz") == ["Łódź"])
        #expect(try await client.search("łódź") == ["Łódź"])
        #expect(try await client.search("lughafen").isEmpty)
        #expect(try await client.search("milsons zurich").isEmpty)
    }

    @Test("a search that takes too long is refused, or ends with the better matches", arguments: Home.allCases)
    func costly(home: Home) async throws {
        let client = try EngineClient(home)
        for number in 0..<300 { try client.add("Apple \(number)", note: "b c d e f g") }
        let begun = try SearchText("a b c d e f g")
        #expect(try await client.search("a b c d e f g").first == "Apple 0")
        let index = client.engine.index
        func found(in time: Duration) async throws -> FoundWords {
            try await index.database.read { (db: Database) in
                try SearchQuery(text: begun, filter: LandmarkFilter(), limit: 20, time: time).run(db)
            }
        }
        await #expect(throws: EngineError.tooCostly) { try await found(in: .zero) }
        #expect(EngineError.tooCostly.serviceError.code == .tooLarge)
        #expect(try await found(in: .seconds(60)).ids.count == 20)
    }

    @Test("what is added is found although a search does not end")
    func besideASearch() async throws {
        let client = try EngineClient(.disk)
        try client.add("First")
        #expect(try await client.search("first") == ["First"])
        let index = client.engine.index
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let isOver = DispatchSemaphore(value: 0)
        let searching = Task {
            try await index.database.read { (_: Database) in
                begins.finish()
                // Bounded, so that a test that has failed ends.
                return isOver.wait(timeout: .now() + 120) == .success
            }
        }
        for await _ in begun {}
        try client.add("Second")
        #expect(try await client.search("second") == ["Second"])
        isOver.signal()
        #expect(try await searching.value, "the search had ended before")
    }

    @Test(arguments: Home.allCases)
    func looksIntoNameUserAndNotes(home: Home) async throws {
        let client = try EngineClient(home)
        let bondi = try client.add("Bondi")
        try client.add("Manly")
        try client.write(.addNote(bondi.id, text: "A salt water pool"), user: "Giulia Ferri")
        #expect(try await client.search("bondi giulia") == ["Bondi"])
        #expect(try await client.search("pool salt") == ["Bondi"])
        #expect(try await client.search("armando").sorted() == ["Bondi", "Manly"])
        #expect(try await client.search("manly giulia").isEmpty)
    }

    @Test(arguments: Home.allCases)
    func wholeWordsComeBeforePrefixesAndNamesBeforeNotes(home: Home) async throws {
        let client = try EngineClient(home)
        try client.add("Far away", note: "not near Bondi")
        try client.add("Bondings Ltd")
        let long = try client.add("Bondi Beach")
        try client.write(.addNote(long.id, text: String(repeating: "sand and surf ", count: 600)))
        try client.add("Elsewhere", note: "bondings are made here")
        #expect(try await client.search("bondi") == ["Bondi Beach", "Bondings Ltd", "Far away", "Elsewhere"])
    }

    @Test(arguments: Home.allCases)
    func equalMatchesComeByNameThenByID(home: Home) async throws {
        let client = try EngineClient(home)
        var ids: [String: [Landmark.ID]] = [:]
        for name in ["Pool C", "Pool A", "Pool B", "Pool A"] { ids[name, default: []].append(try client.add(name).id) }
        let result = try await client.engine.index.search(
            SearchText("pool"), limit: 10, filter: LandmarkFilter(), atLeast: client.engine.position.rev)
        #expect(result.matches.map(\.id) == ["Pool A", "Pool B", "Pool C"].flatMap { ids[$0] ?? [] })
        let two = try await client.engine.index.search(
            SearchText("pool"), limit: 2, filter: LandmarkFilter(), atLeast: 0)
        #expect(two.matches.map(\.id) == ids["Pool A"] && !two.isTruncated)
    }

    @Test(arguments: Home.allCases)
    func followsEditsNotesAndRemovals(home: Home) async throws {
        let client = try EngineClient(home)
        let added = try client.add("Old name", note: "first words")
        #expect(try await client.search("old") == ["Old name"])
        try client.write(.edit(added.id, LandmarkEdit(name: "New name"), ifVersion: nil))
        #expect(try await client.search("old").isEmpty)
        #expect(try await client.search("new") == ["New name"])
        try client.write(.editNote(try #require(added.note), text: "second words"))
        #expect(try await client.search("first").isEmpty)
        #expect(try await client.search("second") == ["New name"])
        try client.write(.remove(added.id, ifVersion: nil))
        #expect(try await client.search("new").isEmpty)
    }

    @Test(arguments: Home.allCases)
    func filtersByKindUserAndSource(home: Home) async throws {
        let client = try EngineClient(home)
        try client.write(.add(draft("Pool one", kind: "pool"), note: nil), user: "armando")
        try client.write(.add(draft("Pool two", kind: "bar"), note: nil), user: "berta")
        try client.send(.ingest(batch("seed", [("1", try draft("Pool three", kind: "pool"))])), user: "")
        let pools = try await client.search("pool", filter: LandmarkFilter(kinds: ["pool"]))
        #expect(pools.sorted() == ["Pool one", "Pool three"])
        #expect(try await client.search("pool", filter: LandmarkFilter(user: "berta")) == ["Pool two"])
        #expect(try await client.search("pool", filter: LandmarkFilter(source: "seed")) == ["Pool three"])
        #expect(try await client.search("pool", filter: LandmarkFilter(kinds: ["bar"], user: "armando")).isEmpty)
        #expect(try await client.search("pool", filter: LandmarkFilter(kinds: ["bar", "pool"])).count == 3)
        try client.write(.add(draft("Pool four", kind: "a\"]\\\u{7}"), note: nil), user: "berta")
        let odd = LandmarkFilter(kinds: ["a\"]\\\u{7}", "none"])
        #expect(try await client.search("pool", filter: odd) == ["Pool four"])
    }

    private static let wordless: Set = ["\"", "\"\"", "_"]
    private static let ofBondi: Set = [
        "-bondi", "bondi*", "^bondi", "(bondi", "bondi,beach", "\\bondi", "\u{0}bondi", "bondi\u{0}", "\u{202e}bondi",
        "bondi + beach", "a\"b", "b\u{301}\u{301}", "a\u{0300} \u{0300}",
    ]

    @Test(arguments: [
        "\"", "\"\"", "a\"b", "NEAR(", "bondi AND", "OR OR", "-bondi", "bondi*", "^bondi", "name:bondi", "{name}:bondi",
        "(bondi", "bondi + beach", "'; DROP TABLE words; --", "NOT bondi", "\u{0}bondi", "bondi\u{0}",
        "b\u{301}\u{301}",
        "\u{202e}bondi", "ǆ ß ﬁ ﷺ", "\\bondi", "bondi,beach", "100%", "日本 語", "٣٤", "½", "_", "\u{1F3D6}\u{FE0F} x",
        "\u{20e3}", "a\u{0300} \u{0300}",
    ])
    func hostileTextIsNeverAnError(text: String) async throws {
        let client = try EngineClient(.memory)
        try client.add("Bondi Beach")
        guard !Self.wordless.contains(text) else {
            #expect(throws: InvalidInput.missing("a word to search for: letters or digits")) { try SearchText(text) }
            return
        }
        let found = try await client.engine.index.search(
            SearchText(text), limit: 10, filter: LandmarkFilter(), atLeast: client.engine.position.rev)
        #expect(found.matches.count == (Self.ofBondi.contains(text) ? 1 : 0))
        #expect(try await client.search("bondi") == ["Bondi Beach"])
    }

    @Test func randomScalarsAreNeverAnError() async throws {
        let client = try EngineClient(.memory)
        try client.add("Bondi Beach")
        var random = SplitMix64(seed: 3)
        var searched = 0
        for _ in 0..<300 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                let top: UInt32 = [0x7f, 0x24f, 0x3000, 0x10ffff].randomElement(using: &random) ?? 0x7f
                if let scalar = Unicode.Scalar(UInt32.random(in: 0...top, using: &random)) { scalars.append(scalar) }
            }
            guard let words = try? SearchText(String(scalars)) else { continue }
            searched += 1
            #expect(
                try await client.engine.index.search(words, limit: 5, filter: LandmarkFilter(), atLeast: 0).matches
                    .count <= 1)
        }
        #expect(searched > 100)
        #expect(try await client.search("bondi") == ["Bondi Beach"])
    }

    @Test func textWithoutWordsOrTooLongIsRefused() {
        for text in ["", "  ", "!?", "\u{1F3D6}", String(repeating: "a", count: 201)] {
            #expect(throws: InvalidInput.self) { try SearchText(text) }
        }
        #expect(throws: Never.self) { try SearchText(String(repeating: "a", count: 200)) }
    }

    @Test(arguments: Home.allCases)
    func revisionThatIsNotThereIsNamed(home: Home) async throws {
        let client = try EngineClient(home)
        try client.add("one")
        await #expect(throws: EngineError.futureRevision(floor: 1, head: 1)) {
            try await client.engine.index.search(SearchText("one"), limit: 1, filter: LandmarkFilter(), atLeast: 2)
        }
    }

    @Test(arguments: Home.allCases)
    func moreMatchesThanAreLookedAtAreTold(home: Home) async throws {
        let client = try EngineClient(home)
        for _ in 0..<11 {
            let rows = try (0..<1_000).map { ("\(client.sequence) \($0)", try draft("Airport \($0)")) }
            try client.send(.ingest(batch("air", rows)), user: "")
        }
        try client.add("Air")
        let index = client.engine.index
        let rev = client.engine.position.rev
        var result = try await index.search(SearchText("air"), limit: 20, filter: LandmarkFilter(), atLeast: rev)
        #expect(result.isTruncated && result.matches.count == 20)
        // Beyond what is looked at among the prefixes, but a whole word.
        let first = try #require(result.matches.first)
        #expect(try StoredLandmark(record: first.record).landmark.name == "Air")
        result = try await index.search(
            SearchText("airport 777"), limit: 20, filter: LandmarkFilter(), atLeast: rev)
        #expect(!result.isTruncated && result.matches.count == 11)
    }
}
