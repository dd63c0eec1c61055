// SPDX-License-Identifier: Apache-2.0

public import Accounts
import WaymarkProtocol
public import ZeroMQ

/// An account, as administrators and its owner see it. Times are Unix milliseconds.
public struct AccountState: Sendable, Hashable {
    public var number: UInt64
    public var name: String
    public var role: Role
    public var created: UInt64
    /// The end of the account; nil while it has not ended.
    public var ended: UInt64?
    /// The number of keys that may be used now.
    public var keys: Int
    public var hasPassword: Bool
    /// The time until which an invitation may be used.
    public var invitedUntil: UInt64?

    init?(_ wire: WireAccountInfo) {
        guard let role = Role(wire.role) else { return nil }
        (number, name, self.role, created) = (wire.number, wire.name, role, wire.created)
        (ended, keys) = (wire.ended == 0 ? nil : wire.ended, Int(wire.keys))
        (hasPassword, invitedUntil) = (wire.hasPassword_p, wire.invitedUntil == 0 ? nil : wire.invitedUntil)
    }
}

/// An account after a change.
public struct AccountChange: Sendable, Hashable {
    public var state: AccountState
    /// The code of an invitation, told only this once.
    public var code: String?
    /// The time until which the code may be used, in Unix milliseconds.
    public var expires: UInt64

    init?(_ wire: WireAccountReply) {
        guard let state = AccountState(wire.account) else { return nil }
        (self.state, code, expires) = (state, wire.code.isEmpty ? nil : wire.code, wire.expires)
    }
}

/// A key of an account. Times are Unix milliseconds.
public struct KeyState: Sendable, Hashable {
    public var key: CurveKey
    public var kind: KeyKind
    public var label: String
    public var made: UInt64
    public var expires: UInt64?
    public var ended: UInt64?

    init?(_ wire: WireKeyInfo) {
        guard let key = CurveKey(bytes: [UInt8](wire.key)), let kind = KeyKind(wire.kind) else { return nil }
        (self.key, self.kind, label, made) = (key, kind, wire.label, wire.made)
        (expires, ended) = (wire.expires == 0 ? nil : wire.expires, wire.ended == 0 ? nil : wire.ended)
    }
}

/// One entry of the audit trail.
public struct AuditRecord: Sendable, Hashable {
    public var id: UInt64
    /// The time of the entry in Unix milliseconds.
    public var at: UInt64
    /// The account that made the request; empty for storage's own machine, or a stranger.
    public var account: String
    /// The IP address of the request; empty for storage's own machine.
    public var origin: String
    public var deed: String
    public var subject: String
    /// "ok", or the name of an error.
    public var outcome: String

    init(_ wire: WireAuditEntry) {
        (id, at, account, origin) = (wire.id, wire.at, wire.account, wire.origin)
        (deed, subject, outcome) = (wire.deed, wire.subject, wire.outcome)
    }
}
