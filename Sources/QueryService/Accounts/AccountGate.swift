// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// Decides who may connect, and finds the account of each request, if accounts are required. Keeps a copy of storage's
/// accounts up to date.
final class AccountGate {
    /// The longest time, in milliseconds, that storage may delay its answer while no account changes. It is shorter
    /// than the time after which an unanswered request is sent again.
    private static let patience: UInt32 = 900

    let access: QueryAccess
    private let accounts: KnownAccounts
    private let link: StorageLink
    private let home: Home
    /// The context's handler, which decides about keys when a client connects.
    private let handler: ZAPHandler?
    /// Called after the copied accounts have changed.
    private let changed: () -> Void
    /// The run of storage that the copied accounts come from: its identifier, new at each start.
    private var epoch = Data()
    /// The reason why the last read of the accounts failed; nil if it succeeded, or if storage was only unreachable.
    private var trouble: String?
    private(set) var tasks: [Task<Void, Never>] = []

    init(
        _ access: QueryAccess, _ accounts: KnownAccounts, _ link: StorageLink, _ handler: ZAPHandler?, home: Home,
        changed: @escaping () -> Void
    ) {
        (self.access, self.accounts, self.link, self.home) = (access, accounts, link, home)
        (self.handler, self.changed) = (handler, changed)
    }

    /// Registers the decisions about keys. Must be called before the sockets are bound, because clients can then
    /// connect.
    ///
    /// - Returns: the handler that this call has started; nil if `access` already has a handler.
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
            // A client that is refused never tries to connect again. But an unknown key may have been added at storage
            // a moment ago. So the key is refused only after the accounts have been read again.
            return book.knows(key) || pendingKeys.isStranger(key) ? .refuse : .tryLater
        }
        await handler.decide(for: KeyDomain.requests, admits)
        // Every account may follow the feed.
        await handler.decide(for: KeyDomain.relay, admits)
        await handler.decide(for: KeyDomain.signIn) { request in
            guard case .curve(let key) = request.credentials else { return .refuse }
            return .admit(userID: key.z85)
        }
        return own
    }

    /// Returns the account that a request acts for, and whether the asker is trusted. A trusted asker is another
    /// service or a program on this machine: it may name the account that it acts for (0 for none), and the address
    /// that the request came from.
    ///
    /// - Throws: ``ErrorCode/keyEnded``, ``ErrorCode/accountEnded``, ``ErrorCode/denied`` for a key that only reads.
    func asker(of request: IncomingRequest) throws(ServiceError) -> (account: UInt64, isTrusted: Bool) {
        let actsFor = request.header.account
        guard let key = request.key, key != access.keys.publicKey else {
            // The connection has the service's own key, or uses a socket that only this user can open, or there is none
            // because the sender is in this process.
            return (actsFor == 0 ? 0 : try accounts.book.account(actsFor).number, true)
        }
        let account = try accounts.book.account(
            of: key, at: WallClock.milliseconds, needing: request.address.kind.row.permission)
        guard AccessRule.allows(account.role, .actForAnother) else { return (account.number, false) }
        return (actsFor == 0 ? account.number : try accounts.book.account(actsFor).number, true)
    }

    /// Returns the account that owns a follower's key; nil if the owner may not follow the feed now.
    func subscriber(_ key: CurveKey) -> FeedOwner? {
        if key == access.keys.publicKey { return .service }
        let account = accounts.book.account(of: key, at: WallClock.milliseconds, for: .follow)
        return account.map { $0.role == .service ? .service : .account($0.number) }
    }

    /// The reason why clients with accounts cannot connect; nil if they can.
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
                    // Storage is unreachable or refuses: the next attempt comes after a pause.
                    try? await Task.sleep(for: .milliseconds(250))
                }
            }
        }
        let arrivals = accounts.pendingKeys.arrivals.stream
        let reader = home.spawn {
            // An unknown key has asked for admission. It may have been added at storage a moment ago, so the accounts
            // are read again. A key that arrives during this read needs another read.
            for await _ in arrivals {
                _ = await gate?.follow(wait: 0)
                // The pause limits how often clients with unknown keys make this service ask storage.
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        tasks = [follower, reader]
    }

    /// Reads the changes of the accounts from storage.
    ///
    /// - Parameter wait: the longest time, in milliseconds, that storage may delay its answer while no account changes.
    /// - Returns: whether storage has answered.
    @discardableResult
    nonisolated(nonsending) func follow(wait: UInt32) async -> Bool {
        let (book, pendingKeys) = (accounts.book, accounts.pendingKeys)
        let round = pendingKeys.ask()
        do throws(ServiceError) {
            var pages = FollowedAccounts(
                question: .with { ($0.epoch, $0.since, $0.waitMs) = (epoch, book.isLoaded ? book.revision : 0, wait) })
            repeat {
                let question = pages.question
                let reply = try await link.ask(.with { $0.followAccounts = question })
                guard case .accountPage(let page)? = reply.result, pages.add(page) else { throw .unexpectedAnswer }
            } while pages.isUnfinished
            trouble = nil
            // The other task that calls this method may have read a newer state meanwhile.
            let reached = pages.question
            let isOther = !book.isLoaded || reached.epoch != epoch
            if isOther ? pages.isWhole : reached.since > book.revision {
                epoch = reached.epoch
                book.enter(
                    pages.accounts, pages.keys, revision: reached.since, isWhole: pages.isWhole,
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
    /// Returns the security of the connection to storage, in which this service proves its identity. All endpoints of
    /// storage have the same key. Nil if the connection stays inside the process or no accounts are required.
    func storageSecurity(_ endpoint: String) -> SocketSecurity? {
        guard let access, let storage = access.storage, !ListenRule.isInside(endpoint) else { return nil }
        return .curveClient(serverKey: storage, keys: access.keys)
    }

    /// Returns the security of one of this service's sockets; nil if every client may connect there.
    ///
    /// - Parameter domain: the name of the ``AccountGate`` decision that admits clients to the socket.
    func security(_ endpoint: String, _ domain: String) -> SocketSecurity? {
        guard let access, !ListenRule.isPrivate(endpoint) else { return nil }
        return .curveServer(secretKey: access.keys.secretKey, domain: domain)
    }
}
