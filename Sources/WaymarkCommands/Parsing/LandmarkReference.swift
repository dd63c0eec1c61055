// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// A landmark as a person names it: by its id, by the beginning of its id, or by its name.
enum LandmarkReference: Hashable, Sendable {
    case whole(Landmark.ID)
    /// A name may look like one, so the text is kept.
    case beginning(UUIDv7Beginning, typed: String)
    case name(String)

    /// The help of each argument that takes one.
    static let help = "The landmark's id, the beginning of it, or the landmark's name."

    /// Nil for a text without anything in it.
    init?(_ text: String) {
        if let reference = Self(id: text) {
            self = reference
        } else if text.contains(where: { !$0.isWhitespace }) {
            self = .name(PositionArguments.plain(text))
        } else {
            return nil
        }
    }

    /// Nil for a text that is no id and no beginning of one.
    init?(id text: String) {
        let word = text.filter { !$0.isWhitespace }
        if let id = UUIDv7(word) {
            self = .whole(id)
        } else if let beginning = UUIDv7Beginning(word) {
            self = .beginning(beginning, typed: text)
        } else {
            return nil
        }
    }
}

extension Values {
    static func reference(_ text: String) throws -> LandmarkReference {
        try LandmarkReference(text)
            .orBad("it is an id, the beginning of one, or a name: copy one that list or near shows.")
    }
}
