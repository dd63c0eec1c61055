// SPDX-License-Identifier: Apache-2.0

public import Accounts
import WaymarkProtocol
public import ZeroMQ

/// An account, as shown to administrators and to its owner. Times are Unix milliseconds.
public struct AccountState: Sendable, Hashable {
    private let wire: WireAccountInfo
    public let role: Role

    public var number: UInt64 { wire.number }
    public var name: String { wire.name }
    public var created: UInt64 { wire.created }
    /// The time at which the account was ended; nil if it was not.
    public var ended: UInt64? { wire.ended == 0 ? nil : wire.ended }
    /// The number of the account's keys that can be used now.
    public var keys: Int { Int(wire.keys) }
    public var hasPassword: Bool { wire.hasPassword_p }
    /// The time until which the account's invitation can be used; nil if there is none.
    public var invitedUntil: UInt64? { wire.invitedUntil == 0 ? nil : wire.invitedUntil }

    init?(_ wire: WireAccountInfo) {
        guard let role = Role(wire.role) else { return nil }
        (self.wire, self.role) = (wire, role)
    }
}

/// The result of a change of an account.
public struct AccountChange: Sendable, Hashable {
    public var state: AccountState
    /// The code of a new invitation; nil if none was made. The service tells it only this once.
    public var code: String?
    /// The time until which the code can be used, in Unix milliseconds.
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
    /// Whether it may only read and follow.
    public var readsOnly: Bool

    init?(_ wire: WireKeyInfo) {
        guard let key = CurveKey(bytes: [UInt8](wire.key)), let kind = KeyKind(wire.kind) else { return nil }
        (self.key, self.kind, label, made) = (key, kind, wire.label, wire.made)
        (expires, ended) = (wire.expires == 0 ? nil : wire.expires, wire.ended == 0 ? nil : wire.ended)
        readsOnly = wire.readsOnly
    }
}

/// One entry of the audit trail.
public struct AuditRecord: Sendable, Hashable {
    private let wire: WireAuditEntry

    public var id: UInt64 { wire.id }
    /// The time of the entry in Unix milliseconds.
    public var at: UInt64 { wire.at }
    /// The account that made the request. Empty for a request from storage's own machine or from a stranger.
    public var account: String { wire.account }
    /// The IP address from which the request came. Empty for storage's own machine.
    public var origin: String { wire.origin }
    public var deed: String { wire.deed }
    public var subject: String { wire.subject }
    /// "ok", or the name of an error code.
    public var outcome: String { wire.outcome }

    init(_ wire: WireAuditEntry) { self.wire = wire }
}
