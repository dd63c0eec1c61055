// SPDX-License-Identifier: Apache-2.0

package import Landmarks

extension Attribute {
    /// The attributes that come before the user and the source, in JSON and for people. Programs rely on that order.
    package static let leading: [Attribute] = [.kind, .link]
    package static let following = allCases.filter { !leading.contains($0) }
}

extension JSONWriter {
    /// The attributes with their names as keys; null for what is absent.
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
