// SPDX-License-Identifier: Apache-2.0

import Geodesy
public import Landmarks
import SwiftProtobuf

// Converts attributes in the generated messages. Drafts and edits carry them in a `Landmark`, so that a new attribute
// changes nothing here.

extension Attributes {
    /// Reads the attributes of a landmark, without checking them.
    init(_ wire: WireLandmark) {
        self.init()
        // Other fields of the landmark are ignored.
        _ = wire.encoded.withUnsafeBytes { read(landmark: $0) }
    }
}

extension WireEdit {
    public init(_ edit: LandmarkEdit, of id: Landmark.ID, ifVersion: UInt64?) {
        self.init()
        self.id = id.wire
        if let value = edit.name { name = value }
        if let coordinate = edit.coordinate { at = WirePoint(coordinate) }
        let values = edit.attributes.encoded
        if !values.isEmpty { attributes = (try? WireLandmark(serializedBytes: values)) ?? WireLandmark() }
        clear = edit.cleared.map { UInt32($0.number) }.sorted()
        self.ifVersion = ifVersion ?? 0
    }
}

extension LandmarkEdit {
    /// - Throws: the first rule that a value breaks, or `InvalidInput.unknownAttribute`, because an edit that is
    ///   applied only in part would look like a complete edit.
    public init(_ wire: WireEdit) throws(InvalidInput) {
        guard wire.attributes.unknownFields.data.isEmpty else { throw .unknownAttribute }
        var cleared: Set<Attribute> = []
        for number in wire.clear {
            guard let attribute = Attribute(number: UInt64(number)) else { throw .unknownAttribute }
            cleared.insert(attribute)
        }
        try self.init(
            name: wire.hasName ? wire.name : nil,
            coordinate: wire.hasAt ? try Coordinate(wireLatitude: wire.at.lat, longitude: wire.at.lng) : nil,
            attributes: Attributes(wire.attributes), cleared: cleared)
    }
}
