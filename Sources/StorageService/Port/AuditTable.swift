// SPDX-License-Identifier: Apache-2.0

/// Who did what from where.
protocol AuditTable {
    /// Also forgets the oldest entries, so that at most 100,000 stay.
    func append(_ caller: Caller, _ deed: AuditDeed, subject: String, outcome: String, now: UInt64) throws
}
