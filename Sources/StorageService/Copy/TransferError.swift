// SPDX-License-Identifier: Apache-2.0

/// The reasons why a database cannot be copied to another database. A closed set.
enum TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The target already holds a database.
    case notEmpty
    /// The target is an incomplete copy of another database, or of this database before it changed.
    case otherSource
    case sourceChanged
    case differs(table: String, Int, Int)
    /// A storage is running on the source or on the target.
    case inUse(String)
    case noSource(String)

    var description: String {
        switch self {
        case .notEmpty: "The target already holds a database: name an empty one."
        case .otherSource:
            "The target holds a copy of another database, or of this one before it changed: empty it, and begin again."
        case .sourceChanged: "The database has changed while it was copied: stop what writes to it, and begin again."
        case .differs(let table, let ours, let theirs):
            "The copy differs (\(table): \(ours) rows, \(theirs) in the copy): empty the target, and begin again."
        case .inUse(let place): "A storage is running on \(place): stop it first."
        case .noSource(let place): "\(place) holds no database of Waymark: name another source."
        }
    }
}
