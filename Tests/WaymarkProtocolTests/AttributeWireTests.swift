// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

/// For every attribute of the table, whatever it is.
@Suite("Attributes on the wire", .computing)
struct AttributeWireTests {
    private static let id = UUIDv7(high: 1, low: 2)

    private static func value(of attribute: Attribute) throws -> Attributes {
        var attributes = Attributes()
        switch attribute.form {
        case .text: try attributes.set(attribute, to: "x")
        case .number(_, let range): try attributes.set(attribute, to: "\(range.lowerBound)")
        }
        return attributes
    }

    @Test("landmarks and drafts, by the generated code and by hand", arguments: Attribute.allCases)
    func records(attribute: Attribute) throws {
        let here = try Coordinate(latitude: 1, longitude: 2)
        let attributes = try Self.value(of: attribute)
        let landmark = Landmark(
            id: Self.id, name: "n", coordinate: here, attributes: attributes, user: "u", version: 1, rev: 1, created: 1,
            updated: 1)
        let wire = WireLandmark(landmark)
        #expect(try Landmark(wire).attributes == attributes)
        #expect(try landmark.encoded == wire.serializedBytes())
        #expect(landmark.encoded.withUnsafeBytes { LandmarkView($0)?.isPlain } == true)

        let draft = try LandmarkDraft(name: "n", coordinate: here, attributes: attributes)
        let wireDraft = WireLandmarkDraft(draft)
        #expect(try LandmarkDraft(DraftFields(wireDraft)) == draft)
        #expect(try draft.encoded == wireDraft.serializedBytes())
        let request = WireRequest.with { $0.add.draft = wireDraft }
        let bytes: [UInt8] = try request.serializedBytes()
        let fields = try #require(bytes.withUnsafeBytes { AddFields(request: $0) })
        #expect(fields == AddFields(request.add) && fields.draft?.attributes == attributes)
    }

    @Test("a text that is no UTF-8 is not passed on as it is", arguments: Attribute.allCases.filter(\.isText))
    func broken(attribute: Attribute) throws {
        let here = try Coordinate(latitude: 1, longitude: 2)
        let landmark = Landmark(
            id: Self.id, name: "n", coordinate: here, attributes: try Self.value(of: attribute), user: "u")
        var bytes = landmark.encoded
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "x")))
        bytes[place] = 0xff
        #expect(bytes.withUnsafeBytes { LandmarkView($0)?.isPlain } == false)
    }

    @Test("edits that set it and edits that clear it come back as they were", arguments: Attribute.allCases)
    func edits(attribute: Attribute) throws {
        let set = try LandmarkEdit(attributes: try Self.value(of: attribute))
        let clear = try LandmarkEdit(attributes: Attributes(), cleared: [attribute])
        for edit in [set, clear] {
            let bytes: [UInt8] = try WireEdit(edit, of: Self.id, ifVersion: 3).serializedBytes()
            let wire = try WireEdit(serializedBytes: bytes)
            #expect(try LandmarkEdit(wire) == edit && wire.ifVersion == 3 && UUIDv7(bytes: wire.id) == Self.id)
        }
        // By another client, which uses only the general fields.
        var wire = WireEdit()
        wire.attributes = WireLandmark(
            Landmark(
                id: Self.id, name: "not read", coordinate: try Coordinate(latitude: 1, longitude: 2),
                attributes: set.attributes))
        #expect(try LandmarkEdit(wire) == set)
        wire = WireEdit.with { $0.clear = [UInt32(attribute.field.rawValue)] }
        #expect(try LandmarkEdit(wire) == clear)
    }

    @Test("an edit of an attribute of a later release is refused, not done in part")
    func later() throws {
        var wire = WireEdit.with { $0.name = "n" }
        #expect(try LandmarkEdit(wire).name == "n")
        // Field 900.
        wire.attributes = try WireLandmark(serializedBytes: [0xa2, 0x38, 0x02, 0x68, 0x69])
        #expect(throws: InvalidInput.unknownAttribute) { try LandmarkEdit(wire) }
        for number: UInt32 in [0, 2, 900, .max] {
            let clear = WireEdit.with { ($0.name, $0.clear) = ("n", [number]) }
            #expect(throws: InvalidInput.unknownAttribute, "\(number)") { try LandmarkEdit(clear) }
        }
    }
}

extension Attribute {
    fileprivate var isText: Bool { if case .text = form { true } else { false } }
}
