// SPDX-License-Identifier: Apache-2.0

/// The rules for the values of a landmark. The CLI, the ingest and storage all check values with this code. Each
/// function returns the text in its normal form: see `String.normal`.
public enum LandmarkRules {
    /// The maximum length of a name in characters as people count them (extended grapheme clusters).
    public static let nameCharacters = 200
    public static let noteCharacters = 10_000
    public static let kindCharacters = 64
    public static let linkCharacters = 2_000
    public static let ratings: ClosedRange<Double> = 0...5
    public static let userCharacters = 64
    public static let sourceCharacters = 64
    public static let sourceKeyCharacters = 512
    /// The maximum size of a character in bytes, on average: a grapheme cluster may have any number of scalars.
    public static let bytesPerCharacter = 16
    /// The maximum size in bytes of an encoded landmark, with its notes, after a write. A change carries two landmarks
    /// to every subscriber, so this also limits the messages of the feed.
    public static let grownBytes = 128 * 1024

    /// Checks a name: 1 to 200 characters after white space at the ends is removed.
    public static func name(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), "name", 1...nameCharacters)
    }

    /// Checks a note: 1 to 10,000 characters.
    public static func note(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), "note", 1...noteCharacters)
    }

    /// Checks a kind: up to 64 characters. It is stored in lower case, with words joined by an underscore: "Train
    /// Station" becomes `train_station`.
    public static func kind(_ text: String) throws(InvalidInput) -> String {
        // The size is checked before lowercasing, so that a hostile megabyte costs nothing.
        guard text.utf8.count <= kindCharacters * bytesPerCharacter else {
            throw .tooLong("kind", limit: kindCharacters)
        }
        if text.utf8.allSatisfy(\.isLowerGraphic) { return try bounded(text, "kind", 0...kindCharacters) }
        // Unicode's lower case does not depend on the language, so that all services agree.
        let words = text.lowercased().split { $0.isWhitespace }
        return try bounded(words.joined(separator: "_"), "kind", 0...kindCharacters)
    }

    /// Checks a link: up to 2,000 characters; the only schemes are `http:`, `https:` and `mailto:`. A link without a
    /// scheme is kept as plain text; see ``hasScheme(_:)``.
    public static func link(_ text: String) throws(InvalidInput) -> String {
        let link = try bounded(trimmed(text), "link", 0...linkCharacters)
        if let scheme = LinkScheme.refused(in: link) { throw .linkScheme(scheme) }
        return link
    }

    /// Checks a user's name: 1 to 64 characters.
    public static func user(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), "user", 1...userCharacters)
    }

    /// Checks a source's name: 1 to 64 characters.
    public static func source(_ text: String) throws(InvalidInput) -> String {
        try bounded(trimmed(text), "source", 1...sourceCharacters)
    }

    /// Checks a source's key: 1 to 512 characters.
    public static func sourceKey(_ text: String) throws(InvalidInput) -> String {
        try bounded(text, "key", 1...sourceKeyCharacters)
    }

    /// Checks an attribute that has no special rules: removes white space at the ends and checks the length.
    static func text(_ text: String, _ field: String, upTo characters: Int) throws(InvalidInput) -> String {
        try bounded(trimmed(text), field, 0...characters)
    }

    /// Whether `link` begins with a scheme (RFC 3986, 3.1) such as `https:` or `mailto:`. Only then may a program open
    /// it.
    public static func hasScheme(_ link: String) -> Bool {
        LinkScheme.beginning(of: link.unicodeScalars).map { $0.count > 1 } ?? false
    }

    private static func bounded(
        _ text: String, _ field: String, _ characters: ClosedRange<Int>
    ) throws(InvalidInput) -> String {
        if text.isEmpty, characters.lowerBound > 0 { throw .empty(field) }
        // The bytes are checked first, because counting the characters of a hostile megabyte is slow.
        let most = characters.upperBound
        // Normalization can shrink a text to a third of its bytes, but no further.
        guard text.utf8.count <= 3 * most * bytesPerCharacter else { throw .tooLong(field, limit: most) }
        guard text.isStreamSafe else {
            throw .outOfRange("number of marks on one letter of the \(field)", "\(String.marksInARow) at most")
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
        // A text whose ends are visible ASCII needs no trimming. Comparing bytes is much faster than comparing
        // characters.
        if let first = text.utf8.first, let last = text.utf8.last, first.isGraphic, last.isGraphic { return text }
        return String(text.trimmed)
    }
}

extension UInt8 {
    /// Whether the byte is visible ASCII.
    fileprivate var isGraphic: Bool { (0x21...0x7e).contains(self) }
    /// Whether the byte is visible ASCII and not a capital letter.
    fileprivate var isLowerGraphic: Bool { isGraphic && !(0x41...0x5a).contains(self) }
}
