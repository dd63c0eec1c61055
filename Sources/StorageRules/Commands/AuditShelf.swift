// SPDX-License-Identifier: Apache-2.0

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
