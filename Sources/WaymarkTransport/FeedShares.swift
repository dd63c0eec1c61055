// SPDX-License-Identifier: Apache-2.0

/// Counts each account's use of a limited resource. No account gets more than its share, so that one account cannot
/// take the feed from the others. Does no I/O.
struct FeedShares {
    /// The number of shares into which the total is divided; each account may use one share. A share is enough for some
    /// hundred programs, and it takes eight malicious accounts to use up the total.
    static let parts = 8

    let share: Int
    private var held: [UInt64: Int] = [:]

    /// - Parameter whole: the total for all accounts.
    init(of whole: Int) { share = max(1, whole / Self.parts) }

    /// Counts one more unit for the owner. Services have no limit.
    ///
    /// - Returns: false if the owner has used up its share.
    mutating func take(_ owner: FeedOwner) -> Bool {
        guard case .account(let number) = owner else { return true }
        guard held[number, default: 0] < share else { return false }
        held[number, default: 0] += 1
        return true
    }

    mutating func giveBack(_ owner: FeedOwner) {
        guard case .account(let number) = owner, let count = held[number] else { return }
        held[number] = count > 1 ? count - 1 : nil
    }
}
