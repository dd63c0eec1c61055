// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkJSON

/// The printed form of attributes.
extension Attribute {
    /// The option of `add` and `edit` that sets the attribute.
    var option: String { "--" + rawValue.split(separator: "_").joined(separator: "-") }

    /// Formats the attribute's value; empty if the attribute has no value.
    func text(of attributes: Attributes) -> String {
        switch attributes[self] {
        case .text(let text): text
        case .number(let number): Figures.number(number)
        case nil: ""
        }
    }

    /// Formats the change of the attribute, escaped: `kind: "pool" → "beach"`; nil if both values are equal.
    func difference(_ before: Attributes, _ after: Attributes) -> String? {
        guard before[self] != after[self] else { return nil }
        return "\(rawValue): \(shown(before)) → \(shown(after))"
    }

    private func shown(_ attributes: Attributes) -> String {
        switch form {
        case .text: "\"\(Escaping.visible(text(of: attributes)))\""
        case .number: attributes[self] == nil ? "none" : text(of: attributes)
        }
    }
}
