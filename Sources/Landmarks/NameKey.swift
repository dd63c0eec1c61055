// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// The keys of a source's rows that have no id of their own.
///
/// A row is known by its name as long as no other has it, so that it may move; namesakes are told apart by their place.
/// So a row has another key once a namesake appears or leaves: whoever looks it up looks for both.
public enum NameKey {
    private static let beginning = "name:"

    public static func alone(_ name: String) -> String { beginning + name }

    public static func among(_ name: String, at place: Coordinate) -> String {
        "\(beginning)\(name)@\(place.latitude),\(place.longitude)"
    }

    /// The other of the two keys that a row has; nil for one that has an id.
    public static func other(than key: String, of draft: LandmarkDraft) -> String? {
        let (alone, among) = (alone(draft.name), among(draft.name, at: draft.coordinate))
        return key == alone ? among : key == among ? alone : nil
    }

    /// Whether it is a key of a row that has one of these names, wherever it is.
    public static func isKey(_ key: String, of names: Set<String>) -> Bool {
        guard key.hasPrefix(beginning) else { return false }
        let rest = key.dropFirst(beginning.count)
        // A name may hold the sign, a place does not.
        let name = rest.lastIndex(of: "@").map { rest[..<$0] }
        return names.contains(String(rest)) || name.map { names.contains(String($0)) } ?? false
    }
}
