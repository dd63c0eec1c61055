// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

/// For every attribute of the table, whatever it is.
@Suite("The table of attributes", .computing)
struct AttributeTests {
    private static func example(_ attribute: Attribute) -> String {
        switch attribute.form {
        case .text: "mailto:a"
        case .number(_, let range): "\(range.upperBound)"
        }
    }

    @Test(
        "a text sets it, an empty one clears it, and a value beyond its limit is refused", arguments: Attribute.allCases
    )
    func set(attribute: Attribute) throws {
        var attributes = Attributes()
        #expect(attributes[attribute] == nil)
        try attributes.set(attribute, to: Self.example(attribute))
        #expect(attributes[attribute] != nil)
        #expect(Attribute.allCases.filter { attributes[$0] != nil } == [attribute])
        #expect(try attributes.checked() == attributes)
        var cleared = attributes
        try cleared.set(attribute, to: "")
        #expect(cleared == Attributes())
        switch attribute.form {
        case .text(let access, let characters):
            attributes[access] = String(repeating: "x", count: characters)
            #expect(try attributes.checked() == attributes)
            attributes[access] += "x"
            #expect(throws: InvalidInput.tooLong(attribute.word, limit: characters)) {
                try attributes.checked()
            }
        case .number(let access, let range):
            let refusal = InvalidInput.notInRange(attribute.word, range)
            for text in ["x", "nan", "-inf", "\(range.upperBound + 1)", "4,5", " "] {
                #expect(throws: refusal, "\(text)") { try attributes.set(attribute, to: text) }
            }
            attributes[access] = range.lowerBound - 1
            #expect(throws: refusal) { try attributes.checked() }
        }
    }

    @Test("an edit sets it, clears it, and leaves the others", arguments: Attribute.allCases)
    func edit(attribute: Attribute) throws {
        let here = try Coordinate(latitude: 1, longitude: 2)
        var attributes = Attributes()
        for other in Attribute.allCases where other != attribute { try attributes.set(other, to: Self.example(other)) }
        let landmark = Landmark(id: UUIDv7(high: 1, low: 1), name: "x", coordinate: here, attributes: attributes)
        var value = Attributes()
        try value.set(attribute, to: Self.example(attribute))
        let edited = try LandmarkEdit(attributes: value).applied(to: landmark)
        #expect(edited.attributes[attribute] == value[attribute] && edited != landmark)
        #expect(try LandmarkEdit(attributes: Attributes(), cleared: [attribute]).applied(to: edited) == landmark)
        // A value wins over its own clearing: the two can only be given together by hand.
        #expect(try LandmarkEdit(attributes: value, cleared: [attribute]) == LandmarkEdit(attributes: value))
    }

    @Test("a source's news of it are taken; what a person edited stays theirs", arguments: Attribute.allCases)
    func merge(attribute: Attribute) throws {
        let here = try Coordinate(latitude: 1, longitude: 2)
        var value = Attributes()
        try value.set(attribute, to: Self.example(attribute))
        let (with, without) = (
            try LandmarkDraft(name: "x", coordinate: here, attributes: value),
            try LandmarkDraft(name: "x", coordinate: here, attributes: Attributes())
        )
        let landmark = Landmark(id: UUIDv7(high: 1, low: 1), name: "x", coordinate: here)
        #expect(with.merged(into: landmark, previous: without).attributes == value)
        #expect(with.merged(into: landmark, previous: with).attributes == Attributes())
        var edited = landmark
        edited.attributes = value
        #expect(without.merged(into: edited, previous: with).attributes == Attributes())
    }

    @Test("a kind of white space clears it")
    func white() throws {
        #expect(try LandmarkEdit(attributes: .init(kind: "  ")).cleared == [.kind])
        #expect(throws: InvalidInput.nothingToChange) { try LandmarkEdit(attributes: Attributes()) }
    }
}
