// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkClient
import WaymarkJSON

extension JSONWriter {
    mutating func fields(_ account: AccountState) {
        field("number", account.number)
        field("name", account.name)
        field("role", account.role.name)
        field("created", Timestamp.rfc3339(account.created))
        if let ended = account.ended { field("ended", Timestamp.rfc3339(ended)) }
        field("keys", UInt64(account.keys))
        if let until = account.invitedUntil { field("invited_until", Timestamp.rfc3339(until)) }
    }

    mutating func fields(_ key: KeyState) {
        field("fingerprint", "\(Fingerprint(key.key))")
        field("kind", key.kind.name)
        field("key", key.key.z85)
        field("label", key.label)
        if key.readsOnly { field("reads_only", true) }
        field("made", Timestamp.rfc3339(key.made))
        if let expires = key.expires { field("expires", Timestamp.rfc3339(expires)) }
        if let ended = key.ended { field("ended", Timestamp.rfc3339(ended)) }
    }

    mutating func fields(_ record: AuditRecord) {
        field("id", record.id)
        field("at", Timestamp.rfc3339(record.at))
        field("account", record.account.nilIfEmpty)
        field("origin", record.origin.nilIfEmpty)
        field("deed", record.deed)
        field("subject", record.subject)
        field("outcome", record.outcome)
    }
}
