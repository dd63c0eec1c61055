// SPDX-License-Identifier: Apache-2.0

/// The shelves, that is, the sections of the audit trail. Each has a limit of its own, so that new entries of one kind
/// never push out entries of another kind.
enum AuditShelf: Int64 {
    /// The maximum number of entries on a shelf.
    static let most: Int64 = 100_000

    /// Successful changes to accounts and keys.
    case deeds = 1
    /// Successful sign-ins with a password, and sign-ups.
    case visits = 2
    case refusals = 3
    /// Links and phones' keys that were made or ended.
    case grants = 4
}
