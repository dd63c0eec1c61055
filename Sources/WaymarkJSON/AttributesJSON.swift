// SPDX-License-Identifier: Apache-2.0

package import Landmarks
internal import WaymarkProtocol

extension Attribute {
    /// The attributes that precede the user and the source, in JSON and in texts for people. Programs rely on it.
    package static let leading: [Attribute] = [.kind, .link]
    package static let following = allCases.filter { !leading.contains($0) }
}

extension JSONWriter {
    /// Writes the chosen attributes with their names as keys, or null for an attribute without a value.
    mutating func fields(_ chosen: [Attribute], of landmark: LandmarkView) {
        for attribute in chosen {
            switch attribute.form {
            case .text: field(attribute.rawValue, utf8: landmark.text(of: attribute).nilIfEmpty)
            case .number where attribute.isWhole:
                field(attribute.rawValue, landmark.number(of: attribute).flatMap(UInt64.init(exactly:)))
            case .number: field(attribute.rawValue, landmark.number(of: attribute))
            }
        }
    }
}
