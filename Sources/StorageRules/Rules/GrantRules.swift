// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import WaymarkProtocol

/// The rules for grants: secrets, of which storage keeps the digests, whose bearers do one thing without an account.
/// Also the rules for landmarks that have an end.
final class GrantRules {
    /// The maximum number of grants of one account, and how many of them may be phones' keys.
    static let (mostOfAccount, mostPhones) = (100, 20)
    /// The maximum number of grants of an administrator, and of all without accounts.
    static let most = 10_000
    /// The longest life of a grant, and of a landmark that has an end, in milliseconds.
    private static let longest: UInt64 = 10 * 366 * 86_400_000
    /// The maximum number of landmarks that are removed at once because their time has come.
    private static let mostExpired = 100

    private let tables: WriterTables
    /// The maximum number of all grants.
    private let mostOfAll: Int
    /// The keys of landmarks that have a grant or an end, and of some that had one.
    private var attached: Set<UInt64>
    /// No fewer than all grants. Ended ones make the number too large, which only counts them sooner.
    private var atMost = Int.max

    init(_ tables: WriterTables, mostOfAll: Int = 1_000_000) throws {
        (self.tables, self.mostOfAll) = (tables, mostOfAll)
        attached = Set(try tables.grants.attachedLandmarks())
    }

    // MARK: Checks without the database

    static func digest(_ bytes: Data) throws(InvalidInput) -> [UInt8] {
        guard bytes.count == 32 else { throw .missing("the 32 bytes of the secret's digest") }
        return [UInt8](bytes)
    }

    static func checked(_ add: WireAddGrant) throws(InvalidInput) -> WireAddGrant {
        var add = add
        _ = try digest(add.digest)
        guard add.label.count <= 64, add.label.utf8.count <= 256,
            add.label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { throw .outOfRange("label", "of at most 64 characters") }
        add.label = add.label.normal
        _ = try UnixTime.checked(add.expires, "end of the grant")
        guard [.move, .see].contains(add.kind) else { throw .missing("the kind of the grant") }
        guard add.landmark.isEmpty != add.filter.isEmpty else { throw .missing("either a landmark or an area") }
        guard add.filter.isEmpty else {
            guard add.kind == .see, !add.track else { throw .missing("a landmark") }
            add.filter = Data(try FeedFilter(conditions: add.filter, of: "link").wire.encoded)
            return add
        }
        _ = try UUIDv7(wire: add.landmark, "the landmark's id")
        return add
    }

    /// - Parameter end: the end of a grant or of a landmark, in Unix milliseconds.
    static func checkEnd(_ end: UInt64, now: UInt64) throws(ServiceError) {
        guard end > now, end - now <= longest else { throw Refusal.end }
    }

    // MARK: Landmarks

    /// Gives a landmark an end.
    func setEnd(_ end: UInt64, of landmark: UInt64) throws {
        try tables.grants.insert(expiry: end, of: landmark)
        attached.insert(landmark)
    }

    /// Ends the grants of a landmark that is removed.
    func removed(_ landmark: UInt64) throws {
        guard attached.contains(landmark) else { return }
        try tables.grants.deleteGrants(ofLandmark: landmark)
        try tables.grants.delete(expiryOf: landmark)
    }

    /// Removes landmarks whose time has come, each with an ordinary revision of its own.
    func removeExpired(by caller: Caller, now: UInt64, in runner: CommandRunner) throws -> WireReply {
        guard caller == .machine || !caller.isProven else { throw Refusal.noLandmark }
        try tables.grants.deleteGrants(expiredBefore: now)
        for key in try tables.grants.expired(at: now, limit: Self.mostExpired) {
            try tables.grants.delete(expiryOf: key)
            // One that cannot be read stays, so that those behind it go.
            guard let found = try? runner.landmarks.find(key: key) else { continue }
            try runner.erase(found, user: "", now: now)
        }
        return .with { $0.done = WireDone() }
    }

    // MARK: Commands

    func add(_ add: WireAddGrant, by caller: Caller, now: UInt64) throws -> WireReply {
        try caller.require(.share)
        let user = try Refusal.user(caller.user)
        if let id = UUIDv7(bytes: add.landmark) {
            guard let landmark = try tables.landmarks.find(id)?.landmark else { throw Refusal.noLandmark }
            try caller.require(.share, ofWhat: landmark.account, landmark.user)
        }
        if add.expires > 0 { try Self.checkEnd(add.expires, now: now) }
        try tables.grants.deleteGrants(expiredBefore: now)
        guard try tables.grants.grant([UInt8](add.digest)) == nil else { throw Refusal.keyTaken }
        let (own, moving) = try tables.grants.grantCounts(of: caller.number)
        let most = caller.isUnlimited ? Self.most : Self.mostOfAccount
        guard own < most else { throw Refusal.tooMany(most, "links and phones of yours", "There may be", "end") }
        guard add.kind == .see || moving < Self.mostPhones || caller.isUnlimited else {
            throw Refusal.tooMany(Self.mostPhones, "phones of yours", "There may be", "end")
        }
        if atMost >= mostOfAll { atMost = try tables.grants.grantCount() }
        guard atMost < mostOfAll else { throw Refusal.tooMany(mostOfAll, "links and phones", "There are", "end") }
        let grant = WireGrant.with {
            ($0.digest, $0.kind, $0.label, $0.made) = (add.digest, add.kind, add.label, now)
            ($0.account, $0.user, $0.landmark, $0.filter) = (caller.number, user, add.landmark, add.filter)
            ($0.track, $0.expires, $0.locates) = (add.track, add.expires, add.locates && add.kind == .move)
        }
        try tables.grants.insert(grant)
        atMost += 1
        if let id = UUIDv7(bytes: add.landmark) { attached.insert(id.high) }
        return .with { $0.grants.grants = [grant] }
    }

    func end(_ digest: [UInt8], by caller: Caller) throws -> WireReply {
        try caller.require(.share)
        guard let grant = try tables.grants.grant(digest) else { throw Refusal.noGrant }
        // The refusal must not reveal whether another account has this grant.
        do { try caller.require(.share, ofWhat: grant.account, grant.user) } catch { throw Refusal.noGrant }
        try tables.grants.delete(grant: digest)
        return .with { $0.done = WireDone() }
    }

    /// Returns the grant of a secret, and its owner, for whom its bearer acts.
    ///
    /// - Throws: ``ErrorCode/keyEnded`` if there is no such grant, or if it or its owner's account has ended.
    func usable(_ digest: [UInt8], _ kind: WireGrantKind, now: UInt64) throws -> (WireGrant, Caller) {
        guard let grant = try tables.grants.grant(digest), grant.kind == kind, grant.isUsable(at: now) else {
            throw Refusal.grantEnded
        }
        guard grant.account > 0 else { return (grant, .anyone(user: grant.user)) }
        guard let owner = try tables.accounts.find(grant.account)?.account, !owner.isEnded else {
            throw Refusal.grantEnded
        }
        return (grant, .account(owner))
    }
}

extension WireGrant {
    func isUsable(at now: UInt64) -> Bool { expires == 0 || now < expires }
}
