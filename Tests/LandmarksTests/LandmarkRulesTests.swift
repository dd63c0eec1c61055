// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

@Suite("What a landmark may hold", .computing)
struct LandmarkRulesTests {
    @Test("a name of 200 characters is taken, of 201 refused, whatever they are made of")
    func nameLength() throws {
        let family = "👨‍👩‍👧"
        #expect(try LandmarkRules.name(String(repeating: "a", count: 200)).count == 200)
        #expect(try LandmarkRules.name(String(repeating: "ā", count: 200)).count == 200)
        #expect(throws: InvalidInput.tooLong("name", limit: 200)) {
            try LandmarkRules.name(String(repeating: "a", count: 201))
        }
        #expect(throws: InvalidInput.tooLong("name", limit: 200)) {
            try LandmarkRules.name(String(repeating: family, count: 201))
        }
        // One character may be made of any number of scalars: the bytes are bounded too.
        #expect(throws: InvalidInput.tooLong("name", limit: 200)) {
            try LandmarkRules.name("a" + String(repeating: "\u{301}", count: 10_000))
        }
    }

    @Test("an empty name, white space alone and a NUL are refused; white space at the ends is not kept")
    func emptyName() throws {
        #expect(throws: InvalidInput.empty("name")) { try LandmarkRules.name("") }
        #expect(throws: InvalidInput.empty("name")) { try LandmarkRules.name(" \n\t ") }
        #expect(throws: InvalidInput.nulCharacter("name")) { try LandmarkRules.name("a\0b") }
        #expect(try LandmarkRules.name("  Bondi Beach\n") == "Bondi Beach")
        #expect(try LandmarkRules.name("\u{3000}Bondi\u{a0}Beach\u{2028}") == "Bondi\u{a0}Beach")
        #expect(try LandmarkRules.name("Bondi\u{a0}") == "Bondi" && LandmarkRules.name("\u{a0}Bondi") == "Bondi")
        #expect(try LandmarkRules.name("東京 ") == "東京")
    }

    @Test("a text comes out in one form, and marks without end are refused before they are put in order")
    func normalForm() throws {
        let texts = ["Cafe\u{301}", "\u{1100}\u{1161}", "a\u{323}\u{307}", "a\u{307}\u{323}", "\u{212b}", "\u{958}"]
        for text in texts {
            let taken = [
                try LandmarkRules.name(text), try LandmarkRules.note(text), try LandmarkRules.link(text),
                try LandmarkRules.user(text), try LandmarkRules.source(text), try LandmarkRules.sourceKey(text),
            ]
            // Equal as Swift compares, and of one form: taken again it stays as it is.
            #expect(taken.allSatisfy { $0 == text && $0.normal.utf8.elementsEqual($0.utf8) })
        }
        #expect(try Array(LandmarkRules.kind("CAFE\u{301}").utf8) == Array("caf\u{e9}".utf8))
        #expect(Array("Cafe\u{301}".normal.utf8) == Array("Caf\u{e9}".utf8) && "plain".normal == "plain")
        // As many marks as a letter may have, and one more.
        let marks = String(repeating: "\u{301}", count: 15) + String(repeating: "\u{323}", count: 15)
        let note = try LandmarkRules.note("a" + marks)
        #expect(note.utf8.elementsEqual(note.normal.utf8))
        let tooMany = InvalidInput.outOfRange("number of marks on one letter of the note", "30 at most")
        #expect(throws: tooMany) { try LandmarkRules.note("a" + marks + "\u{301}") }
        let many = "a" + String(repeating: "\u{301}\u{323}", count: 100_000)
        #expect(throws: tooMany) { try LandmarkRules.note(many) }
        #expect(many.normal.utf8.count == many.utf8.count)
    }

    @Test("a kind is one word in small letters")
    func kind() throws {
        #expect(try LandmarkRules.kind("Train  Station") == "train_station")
        #expect(try LandmarkRules.kind("") == "")
        #expect(try LandmarkRules.kind("train_station") == "train_station" && LandmarkRules.kind("CAFÉ") == "café")
        #expect(throws: InvalidInput.tooLong("kind", limit: 64)) {
            try LandmarkRules.kind(String(repeating: "k", count: 65))
        }
    }

    @Test(
        "a scheme is told from a colon elsewhere",
        arguments: [
            ("https://a.example", true), ("mailto:a@b.example", true), ("www.example.com", false), ("aa", false),
            ("1ttp://x", false), ("c:", false), ("not a scheme: text", false), ("", false),
        ])
    func scheme(link: String, has: Bool) {
        #expect(LandmarkRules.hasScheme(link) == has)
    }

    @Test(
        "a link leads to a page or a letter, or is text",
        arguments: [
            "https://a.example", "HTTP://a", "mailto:a@b.example", "www.example.com", "example.com:8080/x",
            "localhost:80",
            "", "a text: with a colon", "/path", "12:30",
        ])
    func links(link: String) throws {
        #expect(try LandmarkRules.link(link) == link)
    }

    @Test(
        "no other scheme is kept, however a browser reads it",
        arguments: [
            ("javascript:alert(1)", "javascript"), ("JavaScript:alert(1)", "javascript"),
            ("java\nscript:x", "javascript"),
            ("\u{1}javascript:x", "javascript"), ("data:text/html,x", "data"), ("file:///etc/passwd", "file"),
            ("javascript:1234567", "javascript"), ("vbscript:x", "vbscript"), ("ftp://a.example", "ftp"),
            ("javascript:", "javascript"),
        ])
    func otherSchemes(link: String, scheme: String) {
        #expect(throws: InvalidInput.linkScheme(scheme)) { try LandmarkRules.link(link) }
        #expect(throws: InvalidInput.linkScheme(scheme)) { try LandmarkEdit(attributes: .init(link: link)) }
    }

    @Test("the number of ratings is a whole number", arguments: [-1, 0.5, 1e10])
    func ratings(value: Double) throws {
        let field = "number of ratings"
        let refusal = value == 0.5 ? InvalidInput.notWhole(field) : .notInRange(field, 0...1e9)
        #expect(throws: refusal) { try Attribute.ratings.checked(value) }
        #expect(try Attribute.ratings.checked(0) == 0 && Attribute.ratings.checked(1e9) == 1e9)
    }

    @Test("a rating is a number from 0 to 5", arguments: [-0.1, 5.1, .nan, .infinity])
    func rating(value: Double) {
        let refusal = InvalidInput.notInRange("rating", 0...5)
        #expect(throws: refusal) { try Attribute.rating.checked(value) }
        #expect(throws: refusal) { try LandmarkEdit(attributes: Attributes(rating: value)) }
        #expect(refusal.description == "The rating is not a number from 0 to 5.")
    }

    @Test("an edit names at least one field")
    func edit() {
        #expect(throws: InvalidInput.nothingToChange) { try LandmarkEdit() }
    }

    @Test("a source's news are taken field by field; what a person edited stays theirs until then")
    func merge() throws {
        let here = try Coordinate(latitude: 1, longitude: 2)
        let old = try LandmarkDraft(name: "Old", coordinate: here, kind: "beach")
        var landmark = Landmark(id: UUIDv7(high: 1, low: 1), name: "Old", coordinate: here, attributes: old.attributes)
        landmark.name = "A person's name for it"
        let new = try LandmarkDraft(name: "Old", coordinate: here, kind: "park")
        let merged = new.merged(into: landmark, previous: old)
        #expect(merged.name == "A person's name for it")
        #expect(merged.kind == "park")
    }

    @Test("every reason is one sentence that a person can act on")
    func sentences() {
        let all: [InvalidInput] = [
            .empty("name"), .tooLong("note", limit: 10_000), .nulCharacter("user"), .unknownAttribute,
            .notInRange("rating", 0...5), .notWhole("number of ratings"),
            .wrongType("kind"),
            .coordinate("The latitude is out of range."), .nothingToChange, .missing("a name"),
            .outOfRange("limit", "1 to 1,000"),
        ]
        for reason in all { #expect(reason.description.hasSuffix(".")) }
        #expect(InvalidInput.tooLong("note", limit: 10_000).description.contains("10,000"))
    }
}
