// SPDX-License-Identifier: Apache-2.0

/// Makes names for generated landmarks, and words that a search finds in these names.
public enum LoadName {
    public static let adjectives = [
        "Old", "New", "Upper", "Lower", "Northern", "Southern", "Royal", "Little", "Great", "Silver", "Green", "Stone",
    ]
    public static let nouns = [
        "Harbour", "Lookout", "Museum", "Station", "Garden", "Bridge", "Market", "Tower", "Beach", "Library",
        "Fountain",
        "Theatre", "Square", "Chapel", "Lighthouse", "Ferry", "Park", "Pool", "Bakery", "Quay",
    ]
    public static let kinds = ["museum", "station", "park", "beach", "cafe", "monument", "viewpoint", "shop"]

    /// Makes a name such as `Silver Harbour 4711`.
    public static func make(_ number: some CustomStringConvertible, _ world: inout LoadWorld) -> String {
        "\(world.pick(adjectives)) \(world.pick(nouns)) \(number)"
    }

    private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    private static let wordLetters = 6

    /// Makes a word of six random letters and digits, which is different in each run.
    public static func word() -> String {
        String((0..<wordLetters).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }

    /// Whether ``word()`` could have made the text.
    public static func isWord(_ text: some StringProtocol) -> Bool {
        text.count == wordLetters && text.allSatisfy { letters.contains($0) }
    }
}

/// The names of the landmarks that one run writes. Each ends with the number of the write, a blank and the run's word.
public struct WrittenNames: Sendable {
    private let suffix: [UInt8]

    public init(run: String) { suffix = Array(" \(run)".utf8) }

    /// Returns the number in a name; nil if the run did not write it.
    func number(in name: some BidirectionalCollection<UInt8>) -> UInt64? {
        guard name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        var (number, factor): (UInt64, UInt64) = (0, 1)
        for byte in name.dropLast(suffix.count).suffix(18).reversed() {
            guard (48...57).contains(byte) else { break }
            number += UInt64(byte - 48) * factor
            factor *= 10
        }
        return number > 0 ? number : nil
    }
}
