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
    case sameDatabase
    case noSource(String)

    var description: String {
        switch self {
        case .notEmpty: "There is a database already: name an empty one."
        case .otherSource:
            "It was begun from another database, or from this one before it changed: empty the target, and begin again."
        case .sourceChanged: "The database has changed while it was copied: stop what writes to it, and begin again."
        case .differs(let table, let ours, let theirs):
            "The copy is not the same (\(table): \(ours) rows, and \(theirs) in the copy): empty the target, and begin again."
        case .inUse(let place): "A storage has \(place): stop it first."
        case .sameDatabase: "Source and target are the same: name another target."
        case .noSource(let place): "There is no database of Waymark in \(place)."
        }
    }
}
