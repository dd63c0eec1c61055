// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// A landmark as a person names it: by its id, by the beginning of its id, or by its name.
enum LandmarkReference: Hashable, Sendable {
    case whole(Landmark.ID)
    /// The beginning of an id, and the typed text, because a name may look like the beginning of an id.
    case beginning(UUIDv7Beginning, typed: String)
    case name(String)

    /// The help text of all arguments that refer to a landmark.
    static let help = "The landmark's id, the beginning of the id, or the name."

    /// Reads any text; returns nil if the text is blank.
    init?(_ text: String) {
        if let reference = Self(id: text) {
            self = reference
        } else if text.contains(where: { !$0.isWhitespace }) {
            self = .name(PositionArguments.plain(text))
        } else {
            return nil
        }
    }

    /// Reads an id or its beginning; returns nil for any other text.
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
            .orBad("a landmark is an id, the beginning of one, or a name: copy an id from list or near.")
    }
}
