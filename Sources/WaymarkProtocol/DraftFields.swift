// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Geodesy
public import Landmarks
import SwiftProtobuf

/// The fields of an encoded `LandmarkDraft`, not checked against any rule.
public struct DraftFields: Hashable, Sendable {
    public var name = ""
    public var lat = 0.0
    public var lng = 0.0
    public var attributes = Attributes()

    public init(_ wire: WireLandmarkDraft) {
        (name, lat, lng, attributes) = (wire.name, wire.lat, wire.lng, Attributes(wire.attributes))
    }

    /// Reads an encoded `LandmarkDraft` without the generated code.
    ///
    /// Nil for an unusual encoding, which the generated code has to read.
    init?(_ draft: UnsafeRawBufferPointer) {
        var fields = WireFields(draft)
        while let (field, value) = fields.next() {
            switch (DraftField(rawValue: field), value) {
            case (.name, .bytes(let bytes)):
                guard let text = WireText.string(bytes) else { return nil }
                name = text
            case (.lat, .fixed64(let bits)): lat = Double(bitPattern: bits)
            case (.lng, .fixed64(let bits)): lng = Double(bitPattern: bits)
            case (.attributes, .bytes(let landmark)): guard attributes.read(landmark: landmark) else { return nil }
            default: return nil
            }
        }
        guard fields.isWhole else { return nil }
    }
}

extension LandmarkDraft {
    /// - Throws: the first rule that a value breaks.
    public init(_ fields: DraftFields) throws(InvalidInput) {
        try self.init(
            name: fields.name, coordinate: try Coordinate(wireLatitude: fields.lat, longitude: fields.lng),
            attributes: fields.attributes)
    }

    /// Decodes an encoded `LandmarkDraft`.
    ///
    /// - Throws: the first rule that a value breaks, or ``InvalidInput/missing(_:)`` for bytes that are no draft.
    public init(encoded bytes: some ContiguousBytes) throws(InvalidInput) {
        let fields = bytes.withUnsafeBytes { bytes in
            DraftFields(bytes) ?? (try? WireLandmarkDraft(serializedBytes: [UInt8](bytes))).map(DraftFields.init)
        }
        guard let fields else { throw .missing("a readable draft") }
        try self.init(fields)
    }
}
