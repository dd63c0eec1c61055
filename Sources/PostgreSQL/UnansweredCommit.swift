// SPDX-License-Identifier: Apache-2.0

/// Whether a COMMIT was sent but not answered. In doubt it counts as sent, because looking in vain for a committed
/// transaction does less harm than committing it twice.
struct UnansweredCommit {
    private(set) var isSent = false
    private(set) var isInsideTransaction = false

    mutating func send(_ effect: SQLText.Effect) {
        switch effect {
        case .begins: isInsideTransaction = true
        case .commits: (isSent, isInsideTransaction) = (true, false)
        // ROLLBACK TO does not end the transaction. The status in its answer corrects the value later.
        case .rollsBack: isInsideTransaction = false
        case .shows: break
        // A statement outside of a transaction is committed when it ends.
        case .other: isSent = isSent || !isInsideTransaction
        }
    }

    /// Records that a script was sent, which may contain a COMMIT anywhere.
    mutating func sendScript() { isSent = true }

    /// Records that all sent statements are answered.
    mutating func settle(isInsideTransaction: Bool) {
        (isSent, self.isInsideTransaction) = (false, isInsideTransaction)
    }
}
