// SPDX-License-Identifier: Apache-2.0

public import Accounts
import FoundationEssentials
import SwiftProtobuf
import WaymarkProtocol
public import ZeroMQ

/// Requests about accounts and keys.
extension WaymarkClient {
    /// Asks the door for the service's public key, and where to sign in. The endpoint is the door's.
    public func door() async throws(ClientError) -> (key: CurveKey, signIn: String) {
        let request = WireRequest.with { $0.door = WireDoor() }
        guard case .door(let door)? = try await send(request).1.result, let key = CurveKey(bytes: [UInt8](door.key))
        else { throw .unreadableAnswer("door") }
        return (key, door.signInEndpoint)
    }

    /// Signs in: from now on the key of this client belongs to the account. The endpoint is the one for signing in.
    ///
    /// - Parameters:
    ///   - code: an invitation's; then the password becomes the account's.
    ///   - label: what the key is called in the list of keys.
    ///   - key: the key that signs in; nil: that of the connection. Whoever has a key of before connects with that one: it
    ///     shows who asks, also after its end, so that guessing by others keeps nobody out.
    public func signIn(
        _ name: String, password: [UInt8], code: String? = nil, label: String = "", key: CurveKey? = nil
    ) async throws(ClientError) -> AccountState {
        try await account(
            .with {
                $0.signIn = .with {
                    ($0.name, $0.password, $0.code, $0.label) = (name, Data(password), code ?? "", label)
                    $0.key = Data(key?.bytes ?? [])
                }
            }
        ).state
    }

    public func whoAmI() async throws(ClientError) -> AccountState {
        try await account(.with { $0.whoAmI = WireWhoAmI() }).state
    }

    /// All accounts, in the order of their numbers.
    public func accounts() async throws(ClientError) -> [AccountState] {
        var accounts: [AccountState] = []
        while true {
            let after = accounts.last?.number ?? 0
            let reply = try await send(.with { $0.listAccounts = .with { $0.after = after } }).1
            guard case .accounts(let list)? = reply.result else { throw .unreadableAnswer("accounts") }
            accounts += list.accounts.compactMap(AccountState.init)
            guard list.more, !list.accounts.isEmpty else { return accounts }
        }
    }

    public func createAccount(_ name: String, _ role: Role) async throws(ClientError) -> AccountChange {
        try await account(.with { $0.createAccount = .with { ($0.name, $0.role) = (name, role.wire) } })
    }

    /// Each is done where it is given.
    ///
    /// - Parameters:
    ///   - name: the new one. What belongs to the account gets it too, little by little.
    ///   - invites: makes a new invitation; one that was not used ends.
    ///   - ends: ends the account and its keys. What belongs to it stays.
    public func changeAccount(
        _ account: String, role: Role? = nil, name: String? = nil, invites: Bool = false, ends: Bool = false
    ) async throws(ClientError) -> AccountChange {
        try await self.account(
            .with {
                $0.changeAccount = .with {
                    ($0.account, $0.name, $0.invite, $0.end) = (account, name ?? "", invites, ends)
                    if let role { $0.role = role.wire }
                }
            })
    }

    public func setPassword(old: [UInt8], new: [UInt8]) async throws(ClientError) {
        try await done(.with { $0.setPassword = .with { ($0.old, $0.new) = (Data(old), Data(new)) } })
    }

    /// - Parameter account: nil: one's own.
    public func keys(of account: String? = nil) async throws(ClientError) -> [KeyState] {
        try await keys(.with { $0.listKeys = .with { $0.account = account ?? "" } })
    }

    /// - Parameters:
    ///   - expires: Unix milliseconds; 0: never.
    ///   - account: nil: one's own.
    public func addKey(
        _ key: CurveKey, _ kind: KeyKind = .curve, label: String = "", expires: UInt64 = 0, to account: String? = nil
    ) async throws(ClientError) {
        _ = try await keys(
            .with {
                $0.addKey = .with {
                    ($0.key, $0.label, $0.expires, $0.account) = (Data(key.bytes), label, expires, account ?? "")
                    $0.kind = kind.wire
                }
            })
    }

    /// Ends a key, also this client's own.
    public func endKey(_ key: CurveKey) async throws(ClientError) {
        do throws(ClientError) {
            try await done(.with { $0.endKey = .with { $0.key = Data(key.bytes) } })
        } catch .mayBeDone(_, let after) where key == options.keys?.own.publicKey && after.saysKeyEnded {
            // A copy before it, which got no answer, has ended the key.
        }
    }

    /// Gives landmarks and notes of a claimed name to an account, little by little.
    public func adopt(_ name: String, by account: String) async throws(ClientError) {
        try await done(.with { $0.adopt = .with { ($0.name, $0.account) = (name, account) } })
    }

    /// The audit trail, newest first.
    ///
    /// - Parameter before: entries with a smaller id; 0: from the newest on.
    public func audit(before: UInt64 = 0, limit: Int = 100) async throws(ClientError) -> [AuditRecord] {
        let request = WireRequest.with {
            $0.readAudit = .with { ($0.before, $0.limit) = (before, UInt32(clamping: limit)) }
        }
        guard case .audit(let page)? = try await send(request).1.result else { throw .unreadableAnswer("audit") }
        return page.entries.map(AuditRecord.init)
    }

    func account(_ request: WireRequest, by author: RequestAuthor? = nil) async throws(ClientError) -> AccountChange {
        guard case .account(let reply)? = try await send(request, by: author).1.result,
            let state = AccountState(reply.account)
        else { throw unreadable("account", to: request) }
        return AccountChange(
            state: state, code: reply.code.isEmpty ? nil : reply.code, expires: reply.expires)
    }

    private func keys(_ request: WireRequest) async throws(ClientError) -> [KeyState] {
        guard case .keys(let list)? = try await send(request).1.result else { throw unreadable("keys", to: request) }
        return list.keys.compactMap(KeyState.init)
    }

    func done(_ request: WireRequest, by author: RequestAuthor? = nil) async throws(ClientError) {
        guard case .done? = try await send(request, by: author).1.result else { throw unreadable("done", to: request) }
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
