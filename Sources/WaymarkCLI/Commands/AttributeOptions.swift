// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks

// The argument parser needs the options as properties, so the options cannot come from the table of attributes. A test
// compares the two.

/// The attributes of a landmark that is added or edited.
struct AttributeOptions: ParsableArguments {
    @Option(help: help(.kind, "kind"), completion: Completions.kinds)
    var kind: String?

    @Option(help: help(.link, "url"))
    var link: String?

    @Option(help: help(.rating, "number"))
    var rating: String?

    @Option(help: help(.ratings, "number"))
    var ratings: String?

    @Option(help: help(.address, "text"))
    var address: String?

    @Option(help: help(.phone, "number"))
    var phone: String?

    @Option(help: help(.openingHours, "hours"))
    var openingHours: String?

    private var given: [Attribute: String?] {
        [
            .kind: kind, .link: link, .rating: rating, .ratings: ratings, .address: address, .phone: phone,
            .openingHours: openingHours,
        ]
    }

    var isGiven: Bool { given.values.contains { $0 != nil } }

    /// Returns the values, and the attributes that were given as empty texts, which removes them.
    ///
    /// - Throws: the first rule that a value breaks.
    func values() throws(InvalidInput) -> (attributes: Attributes, cleared: Set<Attribute>) {
        var (attributes, cleared): (Attributes, Set<Attribute>) = (Attributes(), [])
        for attribute in Attribute.allCases {
            guard let text = given[attribute] ?? nil else { continue }
            try attributes.set(attribute, to: text)
            if attributes[attribute] == nil { cleared.insert(attribute) }
        }
        return (attributes, cleared)
    }

    func validate() throws { try checked { _ = try values() } }

    private static func help(_ attribute: Attribute, _ value: String) -> ArgumentHelp {
        ArgumentHelp("\(attribute.help). (default: none; in an edit: unchanged)", valueName: value)
    }
}

/// The options that name the fields of a row from which its landmark gets its attributes.
struct AttributeFieldOptions: ParsableArguments {
    @Option(help: help(.kind, "--kind-field =beach"))
    var kindField: String?

    @Option(help: help(.link, "--link-field url"))
    var linkField: String?

    @Option(help: help(.rating, "--rating-field stars"))
    var ratingField: String?

    @Option(help: help(.ratings, "--ratings-field reviews"))
    var ratingsField: String?

    @Option(help: help(.address, "--address-field street"))
    var addressField: String?

    @Option(help: help(.phone, "--phone-field tel"))
    var phoneField: String?

    @Option(help: help(.openingHours, "--opening-hours-field hours"))
    var openingHoursField: String?

    /// The path of each attribute's field; or `=` and one value for all rows.
    var given: [Attribute: String?] {
        [
            .kind: kindField, .link: linkField, .rating: ratingField, .ratings: ratingsField, .address: addressField,
            .phone: phoneField, .openingHours: openingHoursField,
        ]
    }

    private static func help(_ attribute: Attribute, _ example: String) -> ArgumentHelp {
        ArgumentHelp(
            "\(attribute.help): its field, or = and one value for all rows. Example: \(example). (default: none)",
            valueName: "path")
    }
}
