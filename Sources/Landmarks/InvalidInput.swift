// SPDX-License-Identifier: Apache-2.0

/// Why something cannot be stored. A closed set: every case says what to do in one sentence.
public enum InvalidInput: Error, Hashable, Sendable {
    public enum Field: String, Sendable {
        case name, note, kind, link, user, source, key
    }

    case empty(Field)
    case tooLong(Field, limit: Int)
    case nulCharacter(Field)
    case linkScheme(String)
    case ratingOutOfRange
    case coordinate(String)
    case nothingToChange
    case malformedID(String)
    case missing(String)
    case outOfRange(String, String)
}

extension InvalidInput: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty(let field): "The \(field.rawValue) is empty: give it at least one character."
        case .tooLong(let field, let limit):
            "The \(field.rawValue) is too long: at most \(limit.grouped) characters are kept."
        case .nulCharacter(let field): "The \(field.rawValue) holds a NUL character: leave it out."
        case .linkScheme(let scheme): "The link begins with \(scheme):, and only http:, https: and mailto: are kept."
        case .ratingOutOfRange: "The rating is not a number from 0 to 5."
        case .coordinate(let reason): reason
        case .nothingToChange: "Nothing to change was given: name at least one field."
        case .malformedID(let text): "\"\(text)\" is not an id: copy the 36 characters that list or near shows."
        case .missing(let what): "The request lacks \(what)."
        case .outOfRange(let what, let range): "The \(what) is out of range: it must be \(range)."
        }
    }
}

extension Int {
    /// With a comma between thousands, as figures are written in prose.
    fileprivate var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
