// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// Decides who may connect and finds the account of a request, where accounts are required. It follows storage's
/// accounts in a copy.
final class AccountGate {
    /// Milliseconds for which storage may hold the request for news. Less than the time after which an unanswered
    /// request is sent again.
    private static let patience: UInt32 = 900

    let access: QueryAccess
    private let accounts: KnownAccounts
    private let link: StorageLink
    private let home: Home
    /// Decides about keys when a client connects.
    private let handler: ZAPHandler?
    /// Called when the accounts have changed.
    private let changed: () -> Void
    /// The run of storage that the copied accounts come from.
    private var epoch: [UInt8] = []
    /// The reason why the last read of the accounts failed; nil if it did not, or if storage was only unreachable.
    private var trouble: String?
    private(set) var tasks: [Task<Void, Never>] = []

    init(
        _ access: QueryAccess, _ accounts: KnownAccounts, _ link: StorageLink, _ handler: ZAPHandler?, home: Home,
        changed: @escaping () -> Void
    ) {
        (self.access, self.accounts, self.link, self.home) = (access, accounts, link, home)
        (self.handler, self.changed) = (handler, changed)
    }

    /// Registers the decisions about keys. Must be called before the sockets are bound: from then on clients connect.
    ///
    /// - Returns: the handler, if this service has started one.
    static func open(
        _ access: QueryAccess, _ accounts: KnownAccounts, _ context: Context
    ) async throws(ZeroMQError) -> ZAPHandler? {
        let own = access.handler == nil ? try await ZAPHandler(context: context) : nil
        guard let handler = access.handler ?? own else { return nil }
        let (book, service, pendingKeys) = (accounts.book, access.keys.publicKey, accounts.pendingKeys)
        let admits: @Sendable (ZAPRequest) -> ZAPAnswer = { request in
            guard case .curve(let key) = request.credentials else { return .refuse }
            if key == service { return .admit(userID: key.z85) }
            if (try? book.account(of: key, at: WallClock.milliseconds)) != nil { return .admit(userID: key.z85) }
            // A client that is refused never tries again. So an unknown key is refused only once the accounts have been
            // read after it came: it may have been added a moment ago.
            return book.knows(key) || pendingKeys.isStranger(key) ? .refuse : .tryLater
        }
        await handler.decide(for: KeyDomain.requests, admits)
        // Every account may follow.
        await handler.decide(for: KeyDomain.relay, admits)
        await handler.decide(for: KeyDomain.signIn) { request in
            guard case .curve(let key) = request.credentials else { return .refuse }
            return .admit(userID: key.z85)
        }
        return own
    }

    /// The account that a request is made for, as the connection has proved it; 0 for the service's own machine. A
    /// trusted asker is a service: it names the account that it asks for, and the address that the request came from.
    ///
    /// - Throws: ``ErrorCode/keyEnded``, ``ErrorCode/accountEnded``.
    func asker(of request: IncomingRequest) throws(ServiceError) -> (account: UInt64, isTrusted: Bool) {
        let actsFor = request.header.account
        guard let key = request.key, key != access.keys.publicKey else {
            // The connection has the service's own key, or a socket that only this user can open.
            return (actsFor == 0 ? 0 : try accounts.book.account(actsFor).number, true)
        }
        let account = try accounts.book.account(of: key, at: WallClock.milliseconds)
        guard AccessRule.allows(account.role, .actForAnother) else { return (account.number, false) }
        return (actsFor == 0 ? account.number : try accounts.book.account(actsFor).number, true)
    }

    /// The owner of a follower's key; nil if he may not follow now.
    func subscriber(_ key: CurveKey) -> FeedOwner? {
        if key == access.keys.publicKey { return .service }
        let account = accounts.book.account(of: key, at: WallClock.milliseconds, for: .follow)
        return account.map { $0.role == .service ? .service : .account($0.number) }
    }

    /// The reason why people with accounts cannot connect; nil if they can.
    var problem: String? {
        if handler?.isRunning == false {
            return "Nobody can connect any more: the check of keys has stopped. Restart the service."
        }
        if let trouble { return "The accounts cannot be read: \(trouble)" }
        return accounts.book.isLoaded ? nil : "The accounts are not loaded yet."
    }

    // MARK: Following the accounts

    func start() {
        weak let gate = self
        let follower = home.spawn {
            while !Task.isCancelled, let gate {
                if await gate.follow(wait: Self.patience) == false {
                    // The pause between attempts while storage is unreachable or refuses.
                    try? await Task.sleep(for: .milliseconds(250))
                }
            }
        }
        let arrivals = accounts.pendingKeys.arrivals.stream
        let reader = home.spawn {
            // An unknown key may have been added a moment ago, so the accounts are read again. A key that comes during
            // such a read needs another one.
            for await _ in arrivals {
                _ = await gate?.follow(wait: 0)
                // The pause keeps strangers from burdening storage.
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        tasks = [follower, reader]
    }

    /// - Parameter wait: the milliseconds for which storage may wait for news.
    /// - Returns: whether storage has answered.
    @discardableResult
    nonisolated(nonsending) func follow(wait: UInt32) async -> Bool {
        let (book, pendingKeys) = (accounts.book, accounts.pendingKeys)
        let round = pendingKeys.ask()
        do throws(ServiceError) {
            var pages = FollowedAccounts(epoch: epoch, since: book.isLoaded ? book.revision : 0, wait: wait)
            repeat {
                let question = pages.question
                let reply = try await link.ask(.with { $0.followAccounts = question })
                guard case .accountPage(let page)? = reply.result, pages.add(page) else { throw .unexpectedAnswer }
            } while pages.isUnfinished
            trouble = nil
            // The other task may have read something newer meanwhile.
            let isOther = !book.isLoaded || pages.epoch != epoch
            if isOther ? pages.isWhole : pages.revision > book.revision {
                epoch = pages.epoch
                book.enter(
                    pages.accounts, pages.keys, revision: pages.revision, isWhole: pages.isWhole,
                    now: WallClock.milliseconds)
                changed()
            }
            pendingKeys.haveRead(asked: round)
            await handler?.reconsider()
            return true
        } catch {
            trouble = error.code == .unavailable ? nil : error.message
            return false
        }
    }
}

extension QueryOptions {
    /// Security of the connection to storage, which proves this service's identity. All of storage's endpoints have the
    /// same key.
    func storageSecurity(_ endpoint: String) -> SocketSecurity? {
        guard let access, let storage = access.storage, !ListenRule.isInside(endpoint) else { return nil }
        return .curveClient(serverKey: storage, keys: access.keys)
    }

    /// Security of a socket of this service; nil if anybody may connect there.
    ///
    /// - Parameter domain: selects the decision of ``AccountGate``.
    func security(_ endpoint: String, _ domain: String) -> SocketSecurity? {
        guard let access, !ListenRule.isPrivate(endpoint) else { return nil }
        return .curveServer(secretKey: access.keys.secretKey, domain: domain)
    }
}
