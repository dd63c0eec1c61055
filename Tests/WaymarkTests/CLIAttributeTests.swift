// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkJSON

@testable import WaymarkCLI
@testable import WaymarkClient

/// The options of the attributes are written by hand: this holds them against the table.
@Suite("The command line knows every attribute", .inShortTurn)
struct CLIAttributeTests {
    private static let id = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"

    private static func value(_ attribute: Attribute) -> String {
        switch attribute.form {
        case .text: "x"
        case .number(_, let range): "\(range.upperBound)"
        }
    }

    @Test(arguments: Attribute.allCases)
    func options(attribute: Attribute) throws {
        let (option, value) = (attribute.option, Self.value(attribute))
        var wanted = Attributes()
        try wanted.set(attribute, to: value)
        let given = try #require(try WaymarkTool.parse(["edit", Self.id, option, value]) as? EditCommand).attributes
        #expect(try given.isGiven && given.values() == (wanted, []))
        let empty = try #require(try WaymarkTool.parse(["edit", Self.id, option, ""]) as? EditCommand).attributes
        #expect(try empty.isGiven && empty.values() == (Attributes(), [attribute]))
        let added = try #require(try WaymarkTool.parse(["add", "n", "1,2", option, value]) as? AddCommand).attributes
        #expect(try added.values().attributes == wanted)
        #expect(try AttributeFieldOptions.parse(["\(option)-field", "a.b"]).given[attribute] == .some("a.b"))
    }

    @Test func aBadRatingIsRefusedBeforeAnythingIsAsked() throws {
        for value in ["6", "x", "-1"] {
            #expect(throws: (any Error).self, "\(value)") {
                try WaymarkTool.parse(["edit", Self.id, "--rating=\(value)"])
            }
        }
        #expect(throws: (any Error).self) { try WaymarkTool.parse(["edit", Self.id]) }
    }

    @Test(arguments: Attribute.allCases)
    func output(attribute: Attribute) throws {
        var landmark = Landmark(
            id: UUIDv7(high: 1, low: 2), name: "n", coordinate: try Coordinate(latitude: 1, longitude: 2))
        let before = landmark
        try landmark.attributes.set(attribute, to: Self.value(attribute))
        let shown = attribute.text(of: landmark.attributes)
        #expect(!shown.isEmpty)
        let change = Change(rev: 2, at: 0, operation: .changed, user: "u", landmark: landmark, before: before)
        #expect(change.changedFields == [attribute.rawValue])
        let difference = try #require(ChangeLine.differences(change).first)
        #expect(difference.hasPrefix("\(attribute.rawValue): ") && difference.contains(shown))
        let block = LandmarkBlock.lines(
            LandmarkHistory(landmark: landmark, entries: [], isCut: false), Painter(isColoured: false))
        #expect(block.contains { $0.contains(attribute.word) && $0.hasSuffix(" \(shown)") })
        let line = String(decoding: JSONWriter.line { $0.fields(landmark) }, as: UTF8.self)
        #expect(line.contains("\"\(attribute.rawValue)\":") && !line.contains("\"\(attribute.rawValue)\":null"))
        let template = try ChangeTemplate("{\(attribute.rawValue)}")
        let position = Position(epoch: UUIDv7(high: 1, low: 2), rev: 7)
        #expect(template.line(landmark, position, operation: "changed", user: "u", at: 0) == shown)
        #expect(ChangeTemplate.fields.contains("{\(attribute.rawValue)}"))
    }
}
