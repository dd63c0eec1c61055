// SPDX-License-Identifier: Apache-2.0

/// Who did what from where.
protocol AuditTable {
    /// Also forgets the oldest entries of the shelf.
    func append(
        _ caller: Caller, _ deed: AuditDeed, _ shelf: AuditShelf, subject: String, outcome: String, now: UInt64) throws
}

/// What must not push each other out of the audit trail.
enum AuditShelf: Int64 {
    /// The most entries of each.
    static let most: Int64 = 100_000

    /// What was done to accounts and keys.
    case deeds = 1
    /// Who signed in.
    case visits = 2
    case refusals = 3
}
