// SPDX-License-Identifier: Apache-2.0

public import Accounts
internal import FoundationEssentials
import WaymarkProtocol
public import ZeroMQ

/// Requests about accounts and keys.
extension WaymarkClient {
    /// Asks for the service's public key and its endpoint for signing in. Connect to the server-key endpoint for this.
    public func serverKey() async throws(ClientError) -> (key: CurveKey, signIn: String) {
        try await ask(.with { $0.serverKey = WireServerKey() }, \.serverKey) { told in
            CurveKey(bytes: [UInt8](told.key)).map { (key: $0, signIn: told.signInEndpoint) }
        }
    }

    /// Signs in. From now on this client's key belongs to the account. Connect to the endpoint for signing in.
    ///
    /// - Parameters:
    ///   - code: the code of an invitation. If given, `password` becomes the account's password.
    ///   - label: the name of the key in the list of keys.
    ///   - key: the key that is to belong to the account; nil for the key of the connection. A client that has an
    ///     earlier key of the account should connect with it: even if ended, it proves who asks, so that other people's
    ///     wrong guesses do not lock the owner out.
    ///   - fresh: whether to make the account first. Refused with `forbidden` unless storage lets anybody do so.
    public func signIn(
        _ name: String, password: [UInt8], code: String? = nil, label: String = "", key: CurveKey? = nil,
        fresh: Bool = false
    ) async throws(ClientError) -> AccountState {
        try await beginSession(
            key, .curve, for: name, password: password, code: code ?? "", label: label, fresh: fresh)
    }

    /// Begins a browser's session. Only a service may send this request, on behalf of the browser.
    ///
    /// - Parameters:
    ///   - session: the digest of the session's secret, which is to belong to the account; nil for the key of the
    ///     connection.
    ///   - kind: the kind of the key.
    ///   - code: the code of an invitation. If given, `password` becomes the account's password.
    ///   - label: the name of the session in the list of keys.
    ///   - before: the browser's previous session; nil if there is none.
    ///   - fresh: whether to make the account first.
    package func beginSession(
        _ session: CurveKey?, _ kind: KeyKind = .session, for name: String, password: [UInt8], code: String,
        label: String, before: CurveKey? = nil, fresh: Bool = false
    ) async throws(ClientError) -> AccountState {
        let signIn = WireSignIn.with {
            ($0.name, $0.password, $0.code, $0.label) = (name, Data(password), code, label)
            ($0.key, $0.before) = (Data(session?.bytes ?? []), Data(before?.bytes ?? []))
            ($0.kind, $0.fresh) = (kind.wire, fresh)
        }
        return try await account(.with { $0.signIn = signIn }).state
    }

    public func whoAmI() async throws(ClientError) -> AccountState {
        try await account(.with { $0.whoAmI = WireWhoAmI() }).state
    }

    /// Returns all accounts, in the order of their numbers.
    public func accounts() async throws(ClientError) -> [AccountState] {
        var accounts: [AccountState] = []
        while true {
            let after = accounts.last?.number ?? 0
            let list = try await answer(
                to: .with { $0.listAccounts.after = after }, \WireReply.accounts, "accounts"
            ).part
            accounts += list.accounts.compactMap(AccountState.init)
            guard list.more, !list.accounts.isEmpty else { return accounts }
        }
    }

    public func createAccount(_ name: String, _ role: Role) async throws(ClientError) -> AccountChange {
        try await account(.with { ($0.createAccount.name, $0.createAccount.role) = (name, role.wire) })
    }

    /// Changes an account. Each parameter that is given takes effect.
    ///
    /// - Parameters:
    ///   - name: the new name. The account's landmarks and notes get the new name too, in small steps.
    ///   - invites: whether to make a new invitation. An unused invitation then ends.
    ///   - ends: whether to end the account and its keys. Its landmarks and notes stay.
    public func changeAccount(
        _ account: String, role: Role? = nil, name: String? = nil, invites: Bool = false, ends: Bool = false
    ) async throws(ClientError) -> AccountChange {
        let change = WireChangeAccount.with {
            ($0.account, $0.name, $0.invite, $0.end) = (account, name ?? "", invites, ends)
            if let role { $0.role = role.wire }
        }
        return try await self.account(.with { $0.changeAccount = change })
    }

    public func setPassword(old: [UInt8], new: [UInt8]) async throws(ClientError) {
        try await done(.with { ($0.setPassword.old, $0.setPassword.new) = (Data(old), Data(new)) })
    }

    /// Returns the keys of an account.
    ///
    /// - Parameter account: the account's name; nil for the caller's own account.
    public func keys(of account: String? = nil) async throws(ClientError) -> [KeyState] {
        try await ask(.with { $0.listKeys.account = account ?? "" }, \.keys) { $0.keys.compactMap(KeyState.init) }
    }

    /// Adds a key to an account.
    ///
    /// - Parameters:
    ///   - expires: the time at which the key expires, in Unix milliseconds; 0 if it does not expire.
    ///   - account: the account's name; nil for the caller's own account.
    ///   - readsOnly: whether the key may only read and follow, whatever its account may do.
    public func addKey(
        _ key: CurveKey, _ kind: KeyKind = .curve, label: String = "", expires: UInt64 = 0, to account: String? = nil,
        readsOnly: Bool = false
    ) async throws(ClientError) {
        let addition = WireAddKey.with {
            ($0.key, $0.label, $0.expires, $0.account) = (Data(key.bytes), label, expires, account ?? "")
            ($0.kind, $0.readsOnly) = (kind.wire, readsOnly)
        }
        _ = try await answer(to: .with { $0.addKey = addition }, \WireReply.keys, "keys")
    }

    /// Ends a key, which may be this client's own key.
    public func endKey(_ key: CurveKey) async throws(ClientError) {
        do throws(ClientError) {
            try await done(.with { $0.endKey.key = Data(key.bytes) })
        } catch .mayBeDone(_, let after) where key == connection.options.keys?.own.publicKey && after.saysKeyEnded {
            // An earlier copy of the request, which got no answer, has ended the key, so the request has succeeded.
        }
    }

    /// Gives the landmarks and notes that were made under a claimed name to an account, in small steps.
    public func adopt(_ name: String, by account: String) async throws(ClientError) {
        try await done(.with { ($0.adopt.name, $0.adopt.account) = (name, account) })
    }

    /// Returns entries of the audit trail, newest first.
    ///
    /// - Parameter before: returns only entries with a smaller id; 0 to begin with the newest entry.
    public func audit(before: UInt64 = 0, limit: Int = 100) async throws(ClientError) -> [AuditRecord] {
        try await ask(
            .with { ($0.readAudit.before, $0.readAudit.limit) = (before, UInt32(clamping: limit)) }, \.audit, "audit"
        ) { $0.entries.map(AuditRecord.init) }
    }

    private func account(_ request: WireRequest) async throws(ClientError) -> AccountChange {
        try await ask(request, \.account, "account") { AccountChange($0) }
    }

    func done(_ request: WireRequest) async throws(ClientError) {
        _ = try await answer(to: request, \WireReply.done, "done")
    }
}

extension ClientError {
    fileprivate var saysKeyEnded: Bool {
        switch self {
        case .refused(let error): error.code == .keyEnded
        case .keyRefused: true
        default: false
        }
    }
}
