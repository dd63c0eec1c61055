// SPDX-License-Identifier: Apache-2.0

/// The audit trail: who did what, and from where.
protocol AuditTable {
    /// Adds an entry, and deletes the oldest entries beyond the shelf's limit.
    func append(
        _ caller: Caller, _ deed: AuditDeed, _ shelf: AuditShelf, subject: String, outcome: String, now: UInt64) throws
}

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
