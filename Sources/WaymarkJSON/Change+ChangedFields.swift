// SPDX-License-Identifier: Apache-2.0

package import Landmarks

extension Change {
    /// The JSON keys of the fields that differ between before and after.
    package var changedFields: [String] {
        guard let before, operation != .removed else { return [] }
        var fields: [String] = []
        if before.name != landmark.name { fields.append("name") }
        if before.coordinate != landmark.coordinate { fields.append("position") }
        fields += Attribute.allCases.filter { before.attributes[$0] != landmark.attributes[$0] }.map(\.rawValue)
        if before.notes != landmark.notes { fields.append("notes") }
        return fields
    }
}
