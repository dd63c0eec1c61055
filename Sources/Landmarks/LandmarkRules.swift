// SPDX-License-Identifier: Apache-2.0

/// What a landmark may hold. The same rules at the CLI, at an ingest and at storage's door. Each text comes out in one
/// form: see `String.normal`.
public enum LandmarkRules {
    /// Characters as people count them (extended grapheme clusters).
    public static let nameCharacters = 200
    public static let noteCharacters = 10_000
    public static let kindCharacters = 64
    public static let linkCharacters = 2_000
    public static let ratings: ClosedRange<Double> = 0...5
    public static let userCharacters = 64
    public static let sourceCharacters = 64
    public static let sourceKeyCharacters = 512
    /// A grapheme cluster may be any number of scalars; this bounds what one character may cost.
    public static let bytesPerCharacter = 16
    /// A landmark with all its notes, as encoded: none grows beyond this. A change carries two of them, and goes to every
    /// subscriber.
    public static let grownBytes = 128 * 1024
    /// The same of a landmark that an earlier release let grow: what readers have to take.
    public static let recordBytes = 512 * 1024

    /// 1 to 200 characters, without white space at the ends.
    public static func name(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), .name, 1...nameCharacters)
    }

    /// 1 to 10,000 characters.
    public static func note(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), .note, 1...noteCharacters)
    }

    /// Up to 64 characters; lower case, words joined by an underscore: "Train Station" becomes `train_station`.
    public static func kind(_ text: String) throws(InvalidInput) -> String {
        // Before the work of lowering a hostile megabyte; white space inside is one character each at most.
        guard text.utf8.count <= kindCharacters * bytesPerCharacter else {
            throw .tooLong(.kind, limit: kindCharacters)
        }
        if text.utf8.allSatisfy(\.isLowerGraphic) { return try bounded(text, .kind, 0...kindCharacters) }
        // Unicode's lower case, in no language: the same everywhere.
        let words = text.lowercased().split { $0.isWhitespace }
        return try bounded(words.joined(separator: "_"), .kind, 0...kindCharacters)
    }

    /// Up to 2,000 characters; of schemes only `http:`, `https:` and `mailto:`. One without a scheme is kept as the text
    /// that it is; see ``hasScheme(_:)``.
    public static func link(_ text: String) throws(InvalidInput) -> String {
        let link = try bounded(trimmed(text), .link, 0...linkCharacters)
        if let scheme = LinkScheme.refused(in: link) { throw .linkScheme(scheme) }
        return link
    }

    /// 1 to 64 characters.
    public static func user(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), .user, 1...userCharacters)
    }

    /// 1 to 64 characters.
    public static func source(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), .source, 1...sourceCharacters)
    }

    /// 1 to 512 characters.
    public static func sourceKey(_ text: String) throws(InvalidInput) -> String {
        try bounded(text, .key, 1...sourceKeyCharacters)
    }

    /// A text without a rule of its own: any, up to so many characters, without white space at the ends.
    static func text(
        _ text: String, _ field: InvalidInput.Field, upTo characters: Int
    ) throws(InvalidInput) -> String {
        try bounded(trimmed(text), field, 0...characters)
    }

    /// Whether `link` begins with a scheme as RFC 3986, 3.1 writes it (`https:`, `mailto:`): a program may follow it.
    public static func hasScheme(_ link: String) -> Bool {
        guard let colon = link.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = link.utf8[..<colon]
        guard let first = scheme.first, first.isASCIILetter, scheme.count > 1 else { return false }
        return scheme.allSatisfy {
            $0.isASCIILetter || (48...57).contains($0) || $0 == 43 || $0 == 45 || $0 == 46
        }
    }

    private static func bounded(
        _ text: String, _ field: InvalidInput.Field, _ characters: ClosedRange<Int>
    ) throws(InvalidInput) -> String {
        if text.isEmpty, characters.lowerBound > 0 { throw .empty(field) }
        // Bytes first: there are never more characters than bytes, and counting the characters of a hostile megabyte is
        // work that nobody asked for.
        let most = characters.upperBound
        // One form of a text has at most three times the bytes of another.
        guard text.utf8.count <= 3 * most * bytesPerCharacter else { throw .tooLong(field, limit: most) }
        guard text.isStreamSafe else {
            throw .outOfRange("number of marks on one letter of the \(field.word)", "\(String.marksInARow) at most")
        }
        let text = text.normal
        let bytes = text.utf8.count
        guard bytes <= most || bytes <= most * bytesPerCharacter && text.count <= most else {
            throw .tooLong(field, limit: most)
        }
        if text.utf8.contains(0) { throw .nulCharacter(field) }
        return text
    }

    private static func trimmed(_ text: String) -> String {
        // A text that begins and ends with visible ASCII has no white space there. Looking at characters costs far more.
        if let first = text.utf8.first, let last = text.utf8.last, first.isGraphic, last.isGraphic { return text }
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}

extension UInt8 {
    /// Visible ASCII.
    fileprivate var isGraphic: Bool { (0x21...0x7e).contains(self) }
    /// That, and no capital letter.
    fileprivate var isLowerGraphic: Bool { isGraphic && !(0x41...0x5a).contains(self) }
    fileprivate var isASCIILetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
}
