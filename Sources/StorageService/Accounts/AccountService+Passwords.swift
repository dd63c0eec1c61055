// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import StorageRules
import WaymarkProtocol
import WaymarkTransport
import WebServer
import ZeroMQ

/// Signing in with a password or an invitation, and changing a password.
extension AccountService {
    nonisolated(nonsending) func signIn(
        _ signIn: WireSignIn, _ request: IncomingRequest, _ caller: Caller
    ) async throws(ServiceError) -> WireReply {
        // Only a service may send this request, because the service has checked that its client has the key. The client
        // itself proves nothing to storage.
        try caller.require(.actForAnother)
        var key = AccountCommand.NewKey(key: try .init(wire: signIn.key), label: try AccountRules.label(signIn.label))
        if KeyKind(signIn.kind) == .session {
            (key.kind, key.expires) = (.session, WallClock.milliseconds + AccountServiceState.session)
        }
        let source = state.book.source(
            signIn.name.normal, address: IPAddress.share(of: request.header.origin),
            before: CurveKey(bytes: [UInt8](signIn.before)))
        try admit(source)
        let stored = try await read { tables in try tables.accounts.find(named: signIn.name) }
        if signIn.fresh || !signIn.code.isEmpty { return try await join(signIn, stored, key, source, request) }
        // An unknown name, or an account without a password, must take as long as a wrong password. Otherwise the time
        // would tell whether the account exists.
        let password = [UInt8](signIn.password)
        let known = stored.map(\.password).flatMap { $0.isEmpty ? nil : $0 }
        let isRight = try await withThread(for: source) { thread in
            await thread.verify(password, known ?? PasswordHash.ofNobody)
        }
        guard let stored, let known, isRight else {
            try await failed(source, signIn.name, request)
            throw Refusal.wrongPassword
        }
        return try await conclude(
            .signIn(account: stored.account.number, key, .password(hash: known)), request, .account(stored.account),
            source)
    }

    /// Executes a command after its password was found right. Checking a password takes long. Meanwhile the asking
    /// service may have lost its key, and the account's password may have changed, so both are checked again.
    private nonisolated(nonsending) func conclude(
        _ command: AccountCommand, _ request: IncomingRequest, _ caller: Caller, _ source: SignInLimits.Source
    ) async throws(ServiceError) -> WireReply {
        _ = try gate.caller(of: request)
        let reply = try await apply(command, request, caller)
        if case .failure(let failure)? = reply.result, failure.code == ErrorCode.wrongPassword.rawValue {
            state.limits.failed(source, now: Monotonic.milliseconds)
        } else {
            state.limits.succeeded(source, now: Monotonic.milliseconds)
        }
        return reply
    }

    /// Signs in with a new account, or by an invitation, and makes the given password the password of the account.
    private nonisolated(nonsending) func join(
        _ signIn: WireSignIn, _ stored: StoredAccount?, _ key: AccountCommand.NewKey, _ source: SignInLimits.Source,
        _ request: IncomingRequest
    ) async throws(ServiceError) -> WireReply {
        if signIn.fresh, !state.isOpen { throw Refusal.signUpClosed }
        let name = try signIn.fresh ? Refusal.user(signIn.name) : ""
        let password = try AccountRules.password(signIn.password)
        let digest = signIn.fresh ? nil : InvitationCode.digest(signIn.code)
        var isInvited = false
        if let stored, let digest {
            isInvited = try await read { tables in
                try tables.accounts.isValid(
                    invitation: digest, for: stored.account.number, now: WallClock.milliseconds)
            }
        }
        if let stored, !isInvited, try await isRepeated(key.key, stored, password, source) {
            // An earlier copy of this request was committed, but the answer was lost.
            return try await conclude(
                .signIn(account: stored.account.number, key, .password(hash: stored.password)), request,
                .account(stored.account), source)
        }
        if signIn.fresh {
            if let stored { throw Refusal.nameTaken(stored.account.name) }
            if let wait = state.limits.beginSignUp(source.address, now: Monotonic.milliseconds) {
                throw .tooManyAttempts(wait: wait)
            }
            let hash = try await self.hash(password, for: source)
            return try await conclude(.signUp(name: name, key, hash: hash), request, .machine, source)
        }
        guard let stored, let digest, isInvited else {
            try await failed(source, signIn.name, request)
            throw Refusal.wrongCode
        }
        let hash = try await self.hash(password, for: source)
        return try await conclude(
            .signIn(account: stored.account.number, key, .code(digest, hash: hash)), request,
            .account(stored.account), source)
    }

    /// Whether this key belongs to this account, and the password is right. The request is then a repeat.
    private nonisolated(nonsending) func isRepeated(
        _ key: CurveKey, _ stored: StoredAccount, _ password: [UInt8], _ source: SignInLimits.Source
    ) async throws(ServiceError) -> Bool {
        let owner = try await read { tables in try tables.accounts.key(key)?.account }
        guard owner == stored.account.number else { return false }
        return try await withThread(for: source) { thread in await thread.verify(password, stored.password) }
    }

    nonisolated(nonsending) func setPassword(
        _ passwords: WireSetPassword, _ request: IncomingRequest, _ caller: Caller
    ) async throws(ServiceError) -> WireReply {
        let (old, new) = ([UInt8](passwords.old), try AccountRules.password(passwords.new))
        // The caller is signed in, so other clients' failed attempts to sign in with this name do not count.
        let source = SignInLimits.Source(provenFor: caller.user)
        try admit(source)
        guard let stored = try await read({ tables in try tables.accounts.find(caller.number) }) else {
            throw .accountEnded
        }
        let isRight = try await withThread(for: source) { thread in await thread.verify(old, stored.password) }
        guard isRight else {
            if !stored.password.isEmpty,
                try await withThread(for: source, { thread in await thread.verify(new, stored.password) })
            {
                // The new password is set: an earlier copy of this request was committed, but not answered.
                return .with { $0.done = WireDone() }
            }
            try await failed(source, caller.user, request)
            throw Refusal.wrongPassword
        }
        let hash = try await self.hash(new, for: source)
        return try await conclude(
            .setPassword(account: caller.number, hash: hash, verified: stored.password), request, caller, source)
    }

    private func admit(_ source: SignInLimits.Source) throws(ServiceError) {
        guard let wait = state.limits.begin(source, now: Monotonic.milliseconds) else { return }
        throw .tooManyAttempts(wait: wait)
    }

    private nonisolated(nonsending) func failed(
        _ source: SignInLimits.Source, _ name: String, _ request: IncomingRequest
    ) async throws(ServiceError) {
        let now = Monotonic.milliseconds
        state.limits.failed(source, now: now)
        guard let more = state.failures.next(now: now) else { return }
        let subject = name + (more > 0 ? ", and \(more) earlier attempts" : "")
        _ = try await apply(.note(subject: subject, outcome: ErrorCode.wrongPassword.name), request, .machine)
    }

    private nonisolated(nonsending) func hash(
        _ password: [UInt8], for source: SignInLimits.Source
    ) async throws(ServiceError) -> String {
        let hash = try await withThread(for: source) { thread in await thread.hash(password) }
        guard let hash else {
            throw ServiceError(.busy, "There is not enough memory to keep a password: try again.", retryAfter: 1_000)
        }
        return hash
    }

    private nonisolated(nonsending) func withThread<Value: Sendable>(
        for source: SignInLimits.Source, _ body: @Sendable (PasswordThread) async -> Value
    ) async throws(ServiceError) -> Value {
        let thread = await withCheckedContinuation { waiting in
            state.hasher.begin(source) { waiting.resume(returning: $0) }
        }
        guard let thread else {
            throw ServiceError(.busy, "Too many people sign in at once: try again.", retryAfter: 1_000)
        }
        let value = await body(thread)
        state.hasher.end(thread)
        return value
    }
}
