// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol

extension WireAccountInfo {
    init(_ account: Account) {
        self.init()
        (number, name, role) = (account.number, account.name, account.role.wire)
        ended = account.isEnded ? 1 : 0
    }

    init(_ stored: StoredAccount) {
        self.init(stored.account)
        (created, ended) = (stored.created, stored.ended)
        hasPassword_p = !stored.password.isEmpty
    }
}

extension WireAccountKey {
    init(_ key: AccountKey) {
        self.init()
        account = key.account
        self.key = .with {
            $0.key = Data(key.key.bytes)
            $0.expires = key.expires
            $0.ended = key.isEnded ? 1 : 0
            ($0.kind, $0.readsOnly) = (key.kind.wire, key.readsOnly)
        }
    }
}
