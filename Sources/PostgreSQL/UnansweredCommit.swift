// SPDX-License-Identifier: Apache-2.0

/// Whether a COMMIT was sent whose answer has not come. In doubt it says yes: a caller who looks in vain for what was
/// committed loses less than one who does it twice.
struct UnansweredCommit {
    private(set) var isSent = false
    private(set) var isInsideTransaction = false

    mutating func send(_ effect: SQLText.Effect) {
        switch effect {
        case .begins: isInsideTransaction = true
        case .commits: (isSent, isInsideTransaction) = (true, false)
        // Not the whole transaction for ROLLBACK TO, which is told by the status that the answer brings.
        case .rollsBack: isInsideTransaction = false
        case .shows: break
        // PostgreSQL commits at its end what is not in a transaction.
        case .other: isSent = isSent || !isInsideTransaction
        }
    }

    /// A script may have a COMMIT in it anywhere.
    mutating func sendScript() { isSent = true }

    /// All that was sent is answered.
    mutating func settle(isInsideTransaction: Bool) {
        (isSent, self.isInsideTransaction) = (false, isInsideTransaction)
    }
}
