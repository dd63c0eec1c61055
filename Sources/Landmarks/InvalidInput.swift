// SPDX-License-Identifier: Apache-2.0

/// The reason why something cannot be stored. Every case has a sentence for people that says what to do.
public enum InvalidInput: Error, Hashable, Sendable, CustomStringConvertible {
    case empty(String)
    case tooLong(String, limit: Int)
    case nulCharacter(String)
    case linkScheme(String)
    case notInRange(String, ClosedRange<Double>)
    /// A number with a fraction where only whole numbers are allowed.
    case notWhole(String)
    /// A text instead of a number, or a number instead of a text.
    case wrongType(String)
    /// An attribute of a later version of the protocol.
    case unknownAttribute
    case coordinate(String)
    case nothingToChange
    case missing(String)
    case outOfRange(String, String)

    public var description: String {
        switch self {
        case .empty(let field): "The \(field) is empty: give it at least one character."
        case .tooLong(let field, let limit):
            "The \(field) is too long: at most \(limit.grouped) characters are kept."
        case .nulCharacter(let field): "The \(field) holds a NUL character: leave it out."
        case .linkScheme(let scheme): "The link begins with \(scheme):, and only http:, https: and mailto: are kept."
        case .notInRange(let field, let range):
            "The \(field) is not a number from \(range.lowerBound.short) to \(range.upperBound.short)."
        case .notWhole(let field): "The \(field) is not a whole number."
        case .wrongType(let field):
            "The \(field) has the wrong type: give rating and ratings as numbers, all others as texts."
        case .unknownAttribute:
            "The request names an attribute that this service does not know: update the service, or leave it out."
        case .coordinate(let reason): reason
        case .nothingToChange: "Nothing to change was given: name at least one field."
        case .missing(let what): "The request lacks \(what)."
        case .outOfRange(let what, let range): "The \(what) is out of range: it must be \(range)."
        }
    }
}

extension Double {
    /// The number as a text; without a fraction if it is whole.
    var short: String { Int(exactly: self).map(String.init) ?? description }
}

extension BinaryInteger {
    /// The number with commas between thousands, as in prose.
    package var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
