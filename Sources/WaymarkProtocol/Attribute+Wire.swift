// SPDX-License-Identifier: Apache-2.0

public import Landmarks

// A new attribute is one field of `Landmark` in waymark.proto. Drafts and edits carry new attributes in a `Landmark`.

extension Attribute {
    /// Its field of `Landmark`.
    public var field: LandmarkField {
        switch self {
        case .kind: .kind
        case .link: .link
        case .rating: .rating
        case .address: .address
        case .phone: .phone
        case .openingHours: .openingHours
        case .ratings: .ratings
        }
    }

    /// Its own field of `LandmarkDraft`. Only the attributes of the first release have one.
    var draftField: DraftField? {
        switch self {
        case .kind: .kind
        case .link: .link
        case .rating: .rating
        default: nil
        }
    }
}

extension WireLandmark {
    /// What the generated code holds of the attributes. Nil is none.
    subscript(attribute: Attribute) -> Attributes.Value? {
        get {
            switch attribute {
            case .kind: Attributes.Value(kind)
            case .link: Attributes.Value(link)
            case .rating: hasRating ? .number(rating) : nil
            case .address: Attributes.Value(address)
            case .phone: Attributes.Value(phone)
            case .openingHours: Attributes.Value(openingHours)
            case .ratings: hasRatings ? .number(ratings) : nil
            }
        }
        set {
            switch (attribute, newValue) {
            case (.kind, .text(let text)): kind = text
            case (.link, .text(let text)): link = text
            case (.rating, .number(let number)): rating = number
            case (.address, .text(let text)): address = text
            case (.phone, .text(let text)): phone = text
            case (.openingHours, .text(let text)): openingHours = text
            case (.ratings, .number(let number)): ratings = number
            default: break
            }
        }
    }
}

extension Attributes.Value {
    fileprivate init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self = .text(text)
    }
}
