// SPDX-License-Identifier: Apache-2.0

/// The table of a landmark's attributes: all its values beside name and position.
///
/// All code that checks, encodes, ingests, edits or prints attributes iterates over `allCases`. The article "Adding an
/// attribute" of WaymarkProtocol lists the other code that a new attribute concerns.
public enum Attribute: String, CaseIterable, Sendable {
    // The raw value is the name in JSON, options, mappings and templates. People see the attributes in this order.
    case kind
    case link
    case rating
    case ratings
    case address
    case phone
    case openingHours = "opening_hours"

    /// The type of an attribute's value, with access to it and its limits.
    public enum Form: Sendable {
        /// A text of at most this many characters; empty if the landmark has none.
        case text(AttributeAccess<String>, upTo: Int)
        /// A finite number in a range; nil if the landmark has none.
        case number(AttributeAccess<Double?>, in: ClosedRange<Double>)
    }

    public var form: Form {
        switch self {
        case .kind: .text(AttributeAccess(get: { $0.kind }, set: { $0.kind = $1 }), upTo: LandmarkRules.kindCharacters)
        case .link: .text(AttributeAccess(get: { $0.link }, set: { $0.link = $1 }), upTo: LandmarkRules.linkCharacters)
        case .rating: .number(AttributeAccess(get: { $0.rating }, set: { $0.rating = $1 }), in: LandmarkRules.ratings)
        case .ratings: .number(AttributeAccess(get: { $0.ratings }, set: { $0.ratings = $1 }), in: 0...1_000_000_000)
        case .address: .text(AttributeAccess(get: { $0.address }, set: { $0.address = $1 }), upTo: 300)
        case .phone: .text(AttributeAccess(get: { $0.phone }, set: { $0.phone = $1 }), upTo: 100)
        // OpenStreetMap allows 255 characters.
        case .openingHours: .text(AttributeAccess(get: { $0.openingHours }, set: { $0.openingHours = $1 }), upTo: 1_000)
        }
    }

    /// The field number of the attribute in the message `Landmark` of `waymark.proto`.
    public var number: UInt64 {
        switch self {
        case .kind: 5
        case .link: 6
        case .rating: 9
        case .address: 15
        case .phone: 16
        case .openingHours: 17
        case .ratings: 18
        }
    }

    /// The help of an option that sets the attribute: a sentence without its full stop.
    public var help: String {
        switch self {
        case .kind: "The kind of place, in a word such as beach"
        case .link: "A link, with its scheme: https://…"
        case .rating: "The rating, 0 to 5"
        case .ratings: "The number of ratings"
        case .address: "The address, in one line"
        case .phone: "The phone number"
        case .openingHours: "The opening hours, as OpenStreetMap writes them: Mo-Fr 09:00-17:00"
        }
    }

    /// Checks a text, and returns it in its stored form.
    ///
    /// - Throws: an error that names the rule that the value breaks.
    public func checked(_ text: String) throws(InvalidInput) -> String {
        switch (self, form) {
        case (.kind, _): try LandmarkRules.kind(text)
        case (.link, _): try LandmarkRules.link(text)
        case (_, .text(_, let characters)): try LandmarkRules.text(text, word, upTo: characters)
        case (_, .number): throw .wrongType(word)
        }
    }

    /// - Throws: ``InvalidInput/notInRange(_:_:)``, and other errors for the wrong type or a fraction.
    public func checked(_ number: Double) throws(InvalidInput) -> Double {
        guard case .number(_, let range) = form else { throw .wrongType(word) }
        guard number.isFinite, range.contains(number) else { throw .notInRange(word, range) }
        guard !isWhole || number == number.rounded() else { throw .notWhole(word) }
        return number
    }

    /// Whether only whole numbers are allowed.
    public var isWhole: Bool { self == .ratings }

    /// The attribute's name in messages to people.
    public var word: String {
        self == .ratings ? "number of ratings" : rawValue.split(separator: "_").joined(separator: " ")
    }
}
