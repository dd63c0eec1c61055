// SPDX-License-Identifier: Apache-2.0

/// How much of something each account has. None gets more than its share, so that one reader cannot take the feed from the
/// others. Pure.
struct FeedShares {
    /// An account may have one of so many parts: enough for some hundred programs, and it takes eight accounts that are up
    /// to no good to keep the others out.
    static let parts = 8

    let share: Int
    private var held: [UInt64: Int] = [:]

    /// - Parameter whole: what there is for all.
    init(of whole: Int) { share = max(1, whole / Self.parts) }

    /// Gives one more to the owner; services have no limit.
    ///
    /// - Returns: false if the owner has its share.
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
