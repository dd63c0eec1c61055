// SPDX-License-Identifier: Apache-2.0

extension Landmark {
    /// Returns the JSON keys of the fields that differ between this landmark and `other`.
    package func fields(unlike other: Landmark) -> [String] {
        var fields: [String] = []
        if name != other.name { fields.append("name") }
        if coordinate != other.coordinate { fields.append("position") }
        fields += Attribute.allCases.filter { attributes[$0] != other.attributes[$0] }.map(\.rawValue)
        if notes != other.notes { fields.append("notes") }
        return fields
    }
}

extension Change {
    /// The JSON keys of the fields that differ between `before` and `landmark`.
    package var changedFields: [String] {
        guard let before, operation != .removed else { return [] }
        return landmark.fields(unlike: before)
    }
}
