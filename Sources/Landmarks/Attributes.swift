// SPDX-License-Identifier: Apache-2.0

/// The values of a landmark's attributes. ``Attribute`` defines their rules.
public struct Attributes: Hashable, Sendable {
    /// A word such as `beach` or `train_station`; empty if there is none.
    public var kind: String
    /// The link as it was given, even if it is not a URL; empty if there is none.
    public var link: String
    /// The rating from 0 to 5, as sources give it.
    public var rating: Double?
    /// The number of people who rated the landmark: a whole number.
    public var ratings: Double?
    public var address = ""
    public var phone = ""
    /// The opening hours as received: `Mo-Fr 09:00-17:00; PH off`.
    public var openingHours = ""

    public init(kind: String = "", link: String = "", rating: Double? = nil) {
        self.kind = kind
        self.link = link
        self.rating = rating
    }

    /// The value of one attribute.
    public enum Value: Hashable, Sendable {
        case text(String)
        case number(Double)
    }

    /// The value of an attribute; nil if the landmark has none.
    public subscript(attribute: Attribute) -> Value? {
        switch attribute.form {
        case .text(let access, _):
            let text = self[access]
            return text.isEmpty ? nil : .text(text)
        case .number(let access, _): return self[access].map(Value.number)
        }
    }

    /// Sets the value of one attribute, unchecked.
    ///
    /// - Returns: false if the attribute has values of another type.
    // Here and not in the decoder: in another module the subscript by access is generic, and looks up its type.
    package mutating func set(_ attribute: Attribute, to value: Value) -> Bool {
        switch (attribute.form, value) {
        case (.text(let access, _), .text(let text)): access.set(&self, text)
        case (.number(let access, _), .number(let number)): access.set(&self, number)
        default: return false
        }
        return true
    }

    /// The total size of all texts in UTF-8 bytes.
    public var textBytes: Int {
        Attribute.allCases.reduce(0) { sum, attribute in
            guard case .text(let access, _) = attribute.form else { return sum }
            return sum + self[access].utf8.count
        }
    }

    /// Copies the value of one attribute from `other`. If `other` has none, the value is cleared.
    public mutating func copy(_ attribute: Attribute, from other: Attributes) {
        switch attribute.form {
        case .text(let access, _): self[access] = other[access]
        case .number(let access, _): self[access] = other[access]
        }
    }

    /// Sets one attribute from a text that a person typed. An empty text clears the value.
    ///
    /// - Throws: an error that names the rule that the value breaks.
    public mutating func set(_ attribute: Attribute, to text: String) throws(InvalidInput) {
        switch attribute.form {
        case .text(let access, _): self[access] = try attribute.checked(text)
        case .number(let access, _):
            self[access] = text.isEmpty ? nil : try attribute.checked(DecimalText.number(text) ?? .nan)
        }
    }

    /// Returns the attributes with each value in its stored form.
    ///
    /// - Throws: an error that names the first rule that a value breaks.
    public func checked() throws(InvalidInput) -> Attributes {
        var checked = Attributes()
        for attribute in Attribute.allCases {
            switch attribute.form {
            case .text(let access, _):
                let text = self[access]
                if !text.isEmpty { checked[access] = try attribute.checked(text) }
            case .number(let access, _):
                if let number = self[access] { checked[access] = try attribute.checked(number) }
            }
        }
        return checked
    }
}
