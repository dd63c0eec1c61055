// SPDX-License-Identifier: Apache-2.0

/// A kind of the table of known kinds, which has what most people look for. Any other word is also allowed as a kind.
public struct KnownKind: Sendable {
    /// The stored name: `gas_station`.
    public let name: String
    /// The name for people: `Gas station`.
    public let label: String
    /// Other words for the kind: `petrol`, `fuel`.
    public let synonyms: [String]
    /// The OpenStreetMap tags that mean this kind: `amenity=fuel`.
    public let tags: [String]
    /// The words of the label and of the synonyms, folded by ``TextFolding``.
    let words: [String]

    static func words(_ text: some StringProtocol) -> [String] {
        TextFolding.forSorting(String(text)).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns the kind that an OpenStreetMap tag means, given as `key=value`; nil if none does.
    public static func of(tag: String) -> KnownKind? { byTag[tag] }

    public static func named(_ name: String) -> KnownKind? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    private static let byTag = Dictionary(all.flatMap { kind in kind.tags.map { ($0, kind) } }) { first, _ in first }
}
