// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkProtocol

/// The rules for fences: filters that everybody may use by their names. A fence never changes. Adding one under its name
/// replaces it.
struct FenceRules {
    /// The maximum number of fences.
    static let most = 10_000
    /// The maximum number of fences of one account that is not an administrator's.
    static let mostOfAccount = 100

    let fences: any FenceTable

    func add(
        _ name: String, _ filter: [UInt8], isPrivate: Bool, by caller: Caller, head: UInt64, now: UInt64
    ) throws -> WireReply {
        try caller.require(.fence)
        let known = try fences.find(fence: name)
        if let known {
            try caller.require(.fence, ofWhat: known.account, known.user)
            try fences.delete(fence: name)
        } else {
            let (own, all) = try fences.fenceCounts(of: caller.number)
            guard all < Self.most else { throw Refusal.tooMany(Self.most, "fences", "There are") }
            guard own < Self.mostOfAccount || caller.isUnlimited else {
                throw Refusal.tooMany(Self.mostOfAccount, "fences", "An account has")
            }
        }
        var fence = WireFence.with { ($0.account, $0.user) = (caller.number, caller.user) }
        // A moderator who replaces a fence does not take it away from its owner.
        if let known, known.account > 0 { (fence.account, fence.user) = (known.account, known.user) }
        (fence.name, fence.filter, fence.isPrivate) = (name, Data(filter), isPrivate)
        (fence.created, fence.rev) = (now, head)
        try fences.insert(fence)
        guard let made = try fences.find(fence: name) else {
            throw EngineError.corrupted("a fence that was just made is not there")
        }
        return .with { $0.fences.fences = [made] }
    }

    func remove(_ name: String, by caller: Caller) throws -> WireReply {
        try caller.require(.fence)
        guard let known = try fences.find(fence: name) else { throw Refusal.noFence(name) }
        try caller.require(.fence, ofWhat: known.account, known.user)
        try fences.delete(fence: name)
        return .with { $0.done = WireDone() }
    }
}
