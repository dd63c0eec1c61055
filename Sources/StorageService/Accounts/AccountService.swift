// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import ServiceHost
import StorageRules
import Support
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// Handles requests about accounts and keys. They are rare and some take long, so each has a task of its own.
final class AccountService {
    let run: UUIDv7
    let home: Home
    let commits: CommitLoop
    private let replies: Replies
    let gate: StorageGate
    private let handlers: ReadHandlers
    var state: AccountServiceState

    init(
        run: UUIDv7, home: Home, commits: CommitLoop, replies: Replies, gate: StorageGate, handlers: ReadHandlers,
        isOpen: Bool
    ) {
        (self.run, self.home, self.commits) = (run, home, commits)
        (self.replies, self.gate, self.handlers) = (replies, gate, handlers)
        state = AccountServiceState(gate.book, isOpen: isOpen)
    }

    /// Enters a commit's changes into the book of accounts, cuts off followers whose keys or accounts have ended, and
    /// wakes the query services that wait for news.
    func changed(_ news: AccountNews) {
        state.enter(news, now: WallClock.milliseconds)
        commits.publisher.cutOffRefused()
        state.news.send()
    }

    nonisolated(nonsending) func close() async {
        state.news.end()
        state.heard.end()
        for thread in state.hasher.stop() { await thread.stop() }
    }

    func begin(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest, _ caller: Caller) {
        let address = request.address
        guard gate.own != nil else { return replies.refuse(address, .noAccounts) }
        guard state.underWay.insert(address.key).inserted else { return }
        // Query services that wait for news do not count as reads in progress, because they are few and wait long.
        let isWaiting = address.kind == .followAccounts
        guard isWaiting || handlers.admission.beginRead(address.kind) else {
            state.underWay.remove(address.key)
            return replies.refuse(
                address, ServiceError(.busy, "Too many requests at once: send it again.", retryAfter: 100))
        }
        home.spawn {
            do throws(ServiceError) {
                self.replies.answer(address, try await self.accounts(command, request, caller).encoded)
            } catch {
                if error.code == .denied { await self.noteRefusal(request, caller) }
                self.replies.refuse(address, error)
            }
            self.state.underWay.remove(address.key)
            if !isWaiting { self.handlers.admission.endRead() }
        }
    }

    /// Writes into the audit trail that a request was refused because of the caller's role before it reached a commit.
    /// A commit itself records what it refuses.
    nonisolated(nonsending) func noteRefusal(_ request: IncomingRequest, _ caller: Caller) async {
        guard caller.isProven, let more = state.refusals.next(of: caller.number, now: Monotonic.milliseconds) else {
            return
        }
        let subject = more > 0 ? "and \(more) earlier requests" : ""
        // The request is refused even if the audit trail cannot be written.
        _ = try? await apply(.note(subject: subject, outcome: ErrorCode.denied.name), request, caller)
    }

    private nonisolated(nonsending) func accounts(
        _ command: WireRequest.OneOf_Command, _ request: IncomingRequest, _ caller: Caller
    ) async throws(ServiceError) -> WireReply {
        let permission = request.address.kind.row.permission
        switch command {
        case .signIn(let signIn): return try await self.signIn(signIn, request, caller)
        case .setPassword(let passwords):
            try caller.require(permission)
            try begin(caller)
            return try await setPassword(passwords, request, caller)
        case .createAccount(let create): return try await self.create(create, request, caller)
        case .changeAccount(let change): return try await self.change(change, request, caller)
        case .addKey(let add):
            try begin(caller)
            guard let kind = KeyKind(add.kind), kind != .session else { throw .invalidKind }
            let key = AccountCommand.NewKey(
                key: try .init(wire: add.key), kind: kind, label: try AccountRules.label(add.label),
                expires: try AccountRules.expiry(add.expires), readsOnly: add.readsOnly)
            return try await apply(.addKey(key, account: add.account), request, caller)
        case .endKey(let end):
            try begin(caller)
            let reply = try await apply(.endKey(try .init(wire: end.key)), request, caller)
            await untilKnown()
            return reply
        case .adopt(let adopt):
            return try await apply(
                .adopt(name: try Refusal.user(adopt.name), account: adopt.account), request, caller)
        case .whoAmI: return try await whoAmI(caller)
        case .listAccounts(let list):
            try caller.require(permission)
            let limit = list.limit == 0 ? WaymarkProtocol.pageRows : min(Int(list.limit), WaymarkProtocol.pageRows)
            let page = try await read { tables in
                try tables.accountList(after: list.after.signed, limit: limit, now: WallClock.milliseconds)
            }
            return .with { $0.accounts = page }
        case .listKeys(let list): return try await keys(list, caller)
        case .readAudit(let audit):
            try caller.require(permission)
            let limit = audit.limit == 0 ? 100 : min(Int(audit.limit), WaymarkProtocol.pageRows)
            let page = try await read { tables in try tables.auditPage(before: audit.before.signed, limit: limit) }
            return .with { $0.audit = page }
        case .followAccounts(let follow):
            try caller.require(permission)
            state.follows(request.address.connection, follow.since, now: Monotonic.milliseconds)
            return try await news(follow)
        default: throw .unknownCommand
        }
    }

    // MARK: Writes

    /// Counts a change that an account makes to its own keys or password, and refuses the change if there are too many.
    private func begin(_ caller: Caller) throws(ServiceError) {
        guard caller.number > 0, let wait = state.beginChange(by: caller.number, now: Monotonic.milliseconds) else {
            return
        }
        throw ServiceError(.busy, "This account changes its keys too often: try again later.", retryAfter: wait)
    }

    private nonisolated(nonsending) func create(
        _ create: WireCreateAccount, _ request: IncomingRequest, _ caller: Caller
    ) async throws(ServiceError) -> WireReply {
        guard let role = Role(create.role) else { throw .invalidRole }
        let name = try Refusal.user(create.name)
        let (code, invitation) = role == .service ? ("", nil) : newInvitation(request, caller)
        var reply = try await apply(.create(name: name, role, invitation), request, caller)
        if case .account = reply.result { reply.account.code = code }
        return reply
    }

    private nonisolated(nonsending) func change(
        _ change: WireChangeAccount, _ request: IncomingRequest, _ caller: Caller
    ) async throws(ServiceError) -> WireReply {
        var role: Role?
        if change.role != .unspecified {
            guard let named = Role(change.role) else { throw .invalidRole }
            role = named
        }
        let (code, invitation) = change.invite ? newInvitation(request, caller) : ("", nil)
        let command = AccountCommand.change(
            account: change.account, role: role, name: change.name.isEmpty ? nil : try Refusal.user(change.name),
            invitation, ends: change.end)
        var reply = try await apply(command, request, caller)
        if case .account = reply.result { reply.account.code = code }
        await untilKnown()
        return reply
    }

    /// Waits until all query services know the change, but at most a second. If the caller is then told that a key has
    /// ended, all services refuse that key already.
    private nonisolated(nonsending) func untilKnown() async {
        await state.heard.wait(atMost: .seconds(1)) { self.state.isKnownToAll(now: Monotonic.milliseconds) }
    }

    /// Makes an invitation. Its code is derived from storage's own key and from the request, so that a repeated request
    /// gets the same code, although storage keeps only a digest of the code.
    private func newInvitation(
        _ request: IncomingRequest, _ caller: Caller
    ) -> (code: String, AccountCommand.Invitation?) {
        guard let own = gate.own else { return ("", nil) }
        let asked = RequestDigest(of: request.body, user: "\(caller.number) \(request.address.key.text)")
        var hash = SHA256()
        hash.update("waymark invitation\0".utf8Span.span.bytes)
        hash.update(own.secretKey.bytes.span.bytes)
        hash.update([asked.high, asked.low].span.bytes)
        let code = InvitationCode.make(from: hash.finalize())
        guard let digest = InvitationCode.digest(code) else { return ("", nil) }
        let expires = WallClock.milliseconds + AccountServiceState.invitation
        return (code, AccountCommand.Invitation(digest: digest, expires: expires))
    }

    /// Commits a command and waits for the reply.
    nonisolated(nonsending) func apply(
        _ command: AccountCommand, _ request: IncomingRequest, _ caller: Caller
    ) async throws(ServiceError) -> WireReply {
        var write = WriteRequest(request, .account(command), by: caller)
        // The body may hold a password, so its digest must not be kept.
        if !command.isRemembered { write.digest = RequestDigest(high: 0, low: 0) }
        do throws(EngineError) {
            let reply = try await commits.commit(write)
            return (try? WireReply(serializedBytes: reply)) ?? WireReply()
        } catch {
            throw error.serviceError
        }
    }

    // MARK: Reads

    nonisolated(nonsending) func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTables) throws -> Value
    ) async throws(ServiceError) -> Value {
        do throws(EngineError) { return try await commits.executor.reader.read(body) } catch {
            throw error.serviceError
        }
    }

    private nonisolated(nonsending) func whoAmI(_ caller: Caller) async throws(ServiceError) -> WireReply {
        // The list of accounts is read, because it also counts the keys of the account.
        let list = try await read { tables in
            try tables.accountList(after: max(1, caller.number) - 1, limit: 1, now: WallClock.milliseconds)
        }
        guard let info = list.accounts.first, info.number == caller.number else {
            return WireReply(ServiceError(.notFound, "Storage's own machine asked: it needs no account."))
        }
        return .with { $0.account.account = info }
    }

    private nonisolated(nonsending) func keys(
        _ list: WireListKeys, _ caller: Caller
    ) async throws(ServiceError) -> WireReply {
        var number = caller.number
        if !list.account.isEmpty {
            let stored = try await read { tables in try tables.accounts.find(named: list.account) }
            if stored?.account.number != caller.number || stored == nil {
                if let refusal = caller.refusal(.manageAccounts) { return WireReply(refusal) }
            }
            guard let stored else { return WireReply(Refusal.noAccount(list.account)) }
            number = stored.account.number
        }
        let keys = try await read { [number] tables in try tables.accounts.keys(of: number) }
        return .with { $0.keys.keys = keys }
    }
}

extension UInt64 {
    /// The value limited to the greatest signed integer, because the tables compare signed integers.
    fileprivate var signed: UInt64 { Swift.min(self, .max >> 1) }
}
