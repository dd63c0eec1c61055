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
            key(attribute.rawValue)
            switch landmark.value(of: attribute) {
            case .bytes(let text)? where !text.isEmpty: value(utf8: text)
            case .fixed64(let bits)?:
                let number = Double(bitPattern: bits)
                guard attribute.isWhole else {
                    value(number)
                    continue
                }
                if let whole = UInt64(exactly: number) { value(whole) } else { null() }
            default: null()
            }
        }
    }
}
