// SPDX-License-Identifier: Apache-2.0

/// Whether a COMMIT was sent whose answer has not come. In doubt the answer is yes: a caller who looks in vain for a
/// commit loses less than one who commits twice.
struct UnansweredCommit {
    private(set) var isSent = false
    private(set) var isInsideTransaction = false

    mutating func send(_ effect: SQLText.Effect) {
        switch effect {
        case .begins: isInsideTransaction = true
        case .commits: (isSent, isInsideTransaction) = (true, false)
        // ROLLBACK TO does not end the transaction, as the status in its answer then tells.
        case .rollsBack: isInsideTransaction = false
        case .shows: break
        // A statement outside of a transaction is committed at its end.
        case .other: isSent = isSent || !isInsideTransaction
        }
    }

    /// A script may have a COMMIT in it anywhere.
    mutating func sendScript() { isSent = true }

    /// Notes that everything sent is answered.
    mutating func settle(isInsideTransaction: Bool) {
        (isSent, self.isInsideTransaction) = (false, isInsideTransaction)
    }
}
