// SPDX-License-Identifier: Apache-2.0

/// Parts of the audit trail with limits of their own, so that entries of one kind never push out those of another.
enum AuditShelf: Int64 {
    /// The most entries of a shelf.
    static let most: Int64 = 100_000

    /// Changes to accounts and keys.
    case deeds = 1
    /// Sign-ins.
    case visits = 2
    case refusals = 3
}
