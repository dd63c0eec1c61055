// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// Makes keys for rows that have no id in their source.
///
/// If the row's name is unique in the source, the key is the name, so that the row keeps its key when it moves. Rows
/// with equal names get a key of name and position. So a row's key changes when a second row with its name appears or
/// disappears: look up both keys.
public enum NameKey {
    private static let beginning = "name:"

    public static func alone(_ name: String) -> String { beginning + name }

    public static func among(_ name: String, at place: Coordinate) -> String {
        "\(beginning)\(name)@\(place.latitude),\(place.longitude)"
    }

    /// Returns the key that the row has in the other of these two cases; nil if the key is an id.
    public static func other(than key: String, of draft: LandmarkDraft) -> String? {
        let (alone, among) = (alone(draft.name), among(draft.name, at: draft.coordinate))
        return key == alone ? among : key == among ? alone : nil
    }

    /// Whether the key belongs to a row with one of these names, at any position.
    public static func isKey(_ key: String, of names: Set<String>) -> Bool {
        guard key.hasPrefix(beginning) else { return false }
        let rest = key.dropFirst(beginning.count)
        // The last @ is the separator: a name may contain the character, a position cannot.
        let name = rest.lastIndex(of: "@").map { rest[..<$0] }
        return names.contains(String(rest)) || name.map { names.contains(String($0)) } ?? false
    }
}
