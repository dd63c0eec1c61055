// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol
import ZeroMQ

/// Collects all pages of storage's accounts before any of them is used. If the first page were used alone, the accounts
/// of later pages would look unknown.
struct FollowedAccounts {
    /// The request for the next page. Of the pages so far it names the run of storage and the revision.
    private(set) var question: WireFollowAccounts
    /// Whether the pages hold all accounts, not only changes since a revision.
    private(set) var isWhole = false
    private(set) var isUnfinished = true
    private(set) var accounts: [Account] = []
    private(set) var keys: [AccountKey] = []

    /// Adds the next page. Returns false if the page does not continue the pages before.
    mutating func add(_ page: WireAccountPage) -> Bool {
        if page.whole {
            // Storage starts over, with all accounts, if it has deleted a row meanwhile. Then the pages before are
            // void.
            (isWhole, question.begun, accounts, keys) = (true, page.newest, [], [])
        } else {
            guard page.epoch == question.epoch, page.revision >= question.since else { return false }
        }
        isUnfinished = page.newest > page.revision
        guard page.whole || !isUnfinished || page.revision > question.since else { return false }
        (question.epoch, question.since, question.waitMs) = (page.epoch, page.revision, 0)
        accounts += page.accounts.compactMap(Account.init)
        keys += page.keys.compactMap(AccountKey.init)
        return true
    }
}

extension Account {
    /// Converts an account; nil if this release does not know its role. The owner may then do nothing here.
    init?(_ wire: WireAccountInfo) {
        guard let role = Role(wire.role) else { return nil }
        self.init(number: wire.number, name: wire.name, role: role, isEnded: wire.ended > 0)
    }
}

extension AccountKey {
    init?(_ wire: WireAccountKey) {
        guard let key = CurveKey(bytes: [UInt8](wire.key.key)), let kind = KeyKind(wire.key.kind) else { return nil }
        self.init(
            key: key, kind: kind, account: wire.account, expires: wire.key.expires, isEnded: wire.key.ended > 0,
            readsOnly: wire.key.readsOnly)
    }
}
