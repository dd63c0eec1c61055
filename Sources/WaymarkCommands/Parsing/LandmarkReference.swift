// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// A landmark as a person names it: by its id or by the beginning of its id.
enum LandmarkReference: Hashable, Sendable {
    case whole(Landmark.ID)
    case beginning(UUIDv7Beginning)

    init?(_ text: String) {
        let word = text.filter { !$0.isWhitespace }
        if let id = UUIDv7(word) {
            self = .whole(id)
        } else if let beginning = UUIDv7Beginning(word) {
            self = .beginning(beginning)
        } else {
            return nil
        }
    }
}

extension Values {
    static func reference(_ text: String) throws -> LandmarkReference {
        guard let reference = LandmarkReference(text) else {
            throw BadValue(
                "it is an id of 36 characters, or its first \(UUIDv7Beginning.fewestDigits) or more: copy one that list "
                    + "or near shows.")
        }
        return reference
    }
}
