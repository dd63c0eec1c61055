// SPDX-License-Identifier: Apache-2.0

package import Landmarks

extension Attribute {
    /// The attributes that precede the user and the source, in JSON and in texts for people. Programs rely on it.
    package static let leading: [Attribute] = [.kind, .link]
    package static let following = allCases.filter { !leading.contains($0) }
}

extension JSONWriter {
    /// Writes the chosen attributes with their names as keys, or null for an attribute without a value.
    mutating func fields(_ chosen: [Attribute], of attributes: Attributes) {
        for attribute in chosen {
            switch attribute.form {
            case .text(let access, _): field(attribute.rawValue, attributes[access].nilIfEmpty)
            case .number(let access, _) where attribute.isWhole:
                field(attribute.rawValue, attributes[access].flatMap(UInt64.init(exactly:)))
            case .number(let access, _): field(attribute.rawValue, attributes[access])
            }
        }
    }
}
