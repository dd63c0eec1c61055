// SPDX-License-Identifier: Apache-2.0

/// Counts each account's use of a limited resource. No account gets more than its share, so that one reader cannot take
/// the feed from the others. Pure.
struct FeedShares {
    /// The number of shares; each account may use one. A share is enough for some hundred programs, and it takes eight
    /// malicious accounts to keep the others out.
    static let parts = 8

    let share: Int
    private var held: [UInt64: Int] = [:]

    /// - Parameter whole: the total for all accounts.
    init(of whole: Int) { share = max(1, whole / Self.parts) }

    /// Counts one more for the owner; services have no limit.
    ///
    /// - Returns: false if the owner's share is used up.
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
