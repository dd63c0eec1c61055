// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol
import ZeroMQ

/// Collects all pages of storage's accounts before any of them is used. If the first page were used alone, the accounts
/// of later pages would look unknown.
struct FollowedAccounts {
    private(set) var epoch: [UInt8]
    private(set) var revision: UInt64
    /// Whether the pages hold all accounts, not only changes since a revision.
    private(set) var isWhole = false
    private(set) var isUnfinished = true
    private(set) var accounts: [Account] = []
    private(set) var keys: [AccountKey] = []
    private(set) var wait: UInt32
    private(set) var begun: UInt64 = 0

    var question: WireFollowAccounts {
        .with {
            ($0.epoch, $0.since) = (Data(epoch), revision)
            ($0.waitMs, $0.begun) = (wait, begun)
        }
    }

    /// Adds the next page. Returns false if the page does not continue the pages before.
    mutating func add(_ page: WireAccountPage) -> Bool {
        if page.whole {
            // Storage starts over, with all accounts, if it has deleted a row meanwhile. Then the pages before are
            // void.
            (isWhole, begun, accounts, keys) = (true, page.newest, [], [])
        } else {
            guard [UInt8](page.epoch) == epoch, page.revision >= revision else { return false }
        }
        isUnfinished = page.newest > page.revision
        guard page.whole || !isUnfinished || page.revision > revision else { return false }
        (epoch, revision, wait) = ([UInt8](page.epoch), page.revision, 0)
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
