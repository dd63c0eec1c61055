// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// An account, with the fields that services need to decide what the account may do.
public struct Account: Sendable, Hashable {
    /// The number of the account, which is never reused for another account. 0 stands for no account.
    public var number: UInt64
    /// The name, of 1 to 64 characters.
    public var name: String
    public var role: Role
    public var isEnded: Bool

    public init(number: UInt64, name: String, role: Role, isEnded: Bool = false) {
        (self.number, self.name, self.role, self.isEnded) = (number, name, role, isEnded)
    }
}

/// A key of an account. Whoever has its secret acts as the account.
public struct AccountKey: Sendable, Hashable {
    public var key: CurveKey
    public var kind: KeyKind
    public var account: UInt64
    /// The end of validity in Unix milliseconds; 0 if the key never expires.
    public var expires: UInt64
    public var isEnded: Bool
    /// Whether the key may only read and follow, whatever its account may do.
    public var readsOnly: Bool

    public init(
        key: CurveKey, kind: KeyKind = .curve, account: UInt64, expires: UInt64 = 0, isEnded: Bool = false,
        readsOnly: Bool = false
    ) {
        (self.key, self.kind, self.account) = (key, kind, account)
        (self.expires, self.isEnded, self.readsOnly) = (expires, isEnded, readsOnly)
    }

    /// - Throws: ``ErrorCode/denied`` if the key only reads, and the permission is another.
    public func require(_ permission: Permission) throws(ServiceError) {
        guard readsOnly, permission != .read, permission != .follow else { return }
        throw ServiceError(.denied, "This key may only read and follow: use another key of the account.")
    }

    /// - Parameter now: the present time in Unix milliseconds.
    public func isUsable(at now: UInt64) -> Bool { !isEnded && (expires == 0 || now < expires) }
}
