// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// All accounts and keys of an installation, in memory. Storage keeps the book in addition to its tables, and each
/// query service has a copy. The book is read for each request, and by the thread that decides who may connect.
public final class AccountBook: Sendable {
    private struct State {
        var accounts: [UInt64: Account] = [:]
        var keys: [CurveKey: AccountKey] = [:]
        var revision: UInt64 = 0
        /// The number of keys at which unusable keys are removed from the book.
        var mostKeys = AccountBook.fewKeys
        /// Whether the accounts have been read. Before that, every key looks unknown.
        var isLoaded = false
    }

    private static let fewKeys = 10_000
    /// The number of milliseconds for which an expired key is kept, because the clocks of machines differ.
    private static let afterwards: UInt64 = 86_400_000

    private let state = Locked(State())

    public init() {}

    /// The number of keys.
    public var count: Int { state.withLock { $0.keys.count } }

    public var revision: UInt64 { state.withLock { $0.revision } }
    public var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// Returns the account of a key.
    ///
    /// - Parameter now: the present time in Unix milliseconds.
    /// - Throws: ``ErrorCode/keyEnded`` if the key has ended or was never known, ``ErrorCode/accountEnded``,
    ///   ``ErrorCode/denied`` if the key only reads and `permission` is another.
    public func account(
        of key: CurveKey, at now: UInt64, needing permission: Permission = .read
    ) throws(ServiceError) -> Account {
        let (account, key) = try owner(of: key, at: now) { $0 == .curve }
        try key.require(permission)
        return account
    }

    /// Returns the account of a key; nil if the account does not have this permission now.
    public func account(of key: CurveKey, at now: UInt64, for permission: Permission) -> Account? {
        guard let account = try? account(of: key, at: now, needing: permission) else { return nil }
        return AccessRule.allows(account.role, permission) ? account : nil
    }

    /// Returns the account of a token's digest, and the token's entry among the keys.
    ///
    /// - Throws: the same errors as ``account(of:at:)``.
    public func account(
        ofToken digest: CurveKey, at now: UInt64
    ) throws(ServiceError) -> (account: Account, key: AccountKey) {
        try owner(of: digest, at: now) { $0 != .curve }
    }

    private func owner(
        of key: CurveKey, at now: UInt64, _ isRight: (KeyKind) -> Bool
    ) throws(ServiceError) -> (account: Account, key: AccountKey) {
        let found = state.withLock { state in
            state.keys[key].map { ($0, state.accounts[$0.account]) }
        }
        guard let (key, account) = found, let account, isRight(key.kind) else { throw .keyEnded }
        guard !account.isEnded else { throw .accountEnded }
        guard key.isUsable(at: now) else { throw .keyEnded }
        return (account, key)
    }

    /// Returns the account with a number.
    ///
    /// - Throws: ``ErrorCode/accountEnded`` if the account has ended or was never known.
    public func account(_ number: UInt64) throws(ServiceError) -> Account {
        guard let account = state.withLock({ $0.accounts[number] }), !account.isEnded else { throw .accountEnded }
        return account
    }

    /// Whether the book has the key. Also true for an ended key, until it is removed because the book is large.
    public func knows(_ key: CurveKey) -> Bool { state.withLock { $0.keys[key] != nil } }

    /// Whether a key is or was a key of the account with this name.
    func hasHad(_ key: CurveKey, _ name: String) -> Bool {
        let owner = state.withLock { state in state.keys[key].flatMap { state.accounts[$0.account] } }
        return owner?.name.lowercased() == name.lowercased()
    }

    /// Enters changes.
    ///
    /// - Parameters:
    ///   - isWhole: whether to remove all other accounts and keys.
    ///   - revision: the newest revision among the changes.
    ///   - now: the present time in Unix milliseconds.
    public func enter(
        _ accounts: [Account], _ keys: [AccountKey], revision: UInt64, isWhole: Bool = false, now: UInt64
    ) {
        state.withLock { state in
            if isWhole { (state.accounts, state.keys) = ([:], [:]) }
            for account in accounts { state.accounts[account.number] = account }
            for key in keys { state.keys[key.key] = key }
            if state.keys.count > state.mostKeys {
                let then = now - min(now, Self.afterwards)
                state.keys = state.keys.filter { $0.value.isUsable(at: then) }
                state.mostKeys = max(Self.fewKeys, 2 * state.keys.count)
            }
            (state.revision, state.isLoaded) = (revision, true)
        }
    }
}

extension ServiceError {
    public static let keyEnded = ServiceError(
        .keyEnded, "This key is not accepted any more: sign in again with \"waymark login NAME\".")
    public static let accountEnded = ServiceError(
        .accountEnded, "This account has ended: ask an administrator of the service.")
}
