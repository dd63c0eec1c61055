// SPDX-License-Identifier: Apache-2.0

import Accounts
import EngineParts
import Landmarks
import Logging
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Decides who may connect to storage, and finds the caller of a request.
struct StorageGate {
    /// Storage's own keys; nil if accounts are not required.
    let own: CurveKeyPair?
    let book: AccountBook
    /// The handler that admits or refuses the key of a connecting client; nil if accounts are not required.
    private let handler: ZAPHandler?
    /// Whether no other server uses the handler, so that this server has to stop it.
    private let isOwnHandler: Bool

    /// Reads the accounts, and tells the handler which keys to admit. Must be called before the sockets are bound,
    /// because from then on clients can connect.
    nonisolated(nonsending) static func open(
        _ options: StorageOptions, run: UUIDv7, _ executor: EngineExecutor, context: Context, logger: Logger
    ) async throws -> StorageGate {
        let book = AccountBook()
        guard let access = options.access else {
            return StorageGate(own: nil, book: book, handler: nil, isOwnHandler: false)
        }
        if let directory = options.directory { DataDirectory.hide(directory) }
        let keys = StorageKeys(access: access, run: run, place: options.directory ?? "the database", logger: logger)
        let own = try keys.own()
        try await keys.handOut(own, executor)
        let news = try await executor.reader.read { tables in try tables.accounts.news(since: 0) }
        book.enter(news.accounts, news.keys, revision: news.revision, isWhole: true, now: WallClock.milliseconds)
        let handler: ZAPHandler
        if let shared = access.handler { handler = shared } else { handler = try await ZAPHandler(context: context) }
        let machine = own.publicKey
        let needs: [(String, Permission)] = [(KeyDomain.storage, .actForAnother), (KeyDomain.changes, .follow)]
        for (domain, needed) in needs {
            await handler.decide(for: domain) { verdict($0, book, machine, needed) }
        }
        return StorageGate(own: own, book: book, handler: handler, isOwnHandler: access.handler == nil)
    }

    private static func verdict(
        _ request: ZAPRequest, _ book: AccountBook, _ own: CurveKey, _ needed: Permission
    ) -> ZAPAnswer {
        guard case .curve(let key) = request.credentials else { return .refuse }
        let isKnown = key == own || book.account(of: key, at: WallClock.milliseconds, for: needed) != nil
        return isKnown ? .admit(userID: key.z85) : .refuse
    }

    /// Returns the security of the socket at an endpoint; nil if anybody may connect there.
    func security(_ endpoint: String, _ domain: String) -> SocketSecurity? {
        let isFree = domain == KeyDomain.storage ? ListenRule.isInside(endpoint) : ListenRule.isPrivate(endpoint)
        guard let own, !isFree else { return nil }
        return .curveServer(secretKey: own.secretKey, domain: domain)
    }

    /// Returns the owner of a follower's key; nil if the owner may not follow the feed now.
    func follower(_ key: CurveKey) -> FeedOwner? {
        if key == own?.publicKey { return .service }
        let account = book.account(of: key, at: WallClock.milliseconds, for: .follow)
        return account.map { $0.role == .service ? .service : .account($0.number) }
    }

    /// The reason why nobody can connect any more; nil if clients can connect.
    var problem: String? {
        guard handler?.isRunning == false else { return nil }
        return "Nobody can connect any more: the check of keys has stopped. Restart storage."
    }

    nonisolated(nonsending) func close() async {
        if isOwnHandler { await handler?.stop() }
    }

    /// Returns the caller of a request, which is the account whose key the connection has proved. A service may instead
    /// name the account for which it acts, because storage knows the keys of services.
    func caller(of request: IncomingRequest) throws(ServiceError) -> Caller {
        guard let own else { return .anyone(user: request.header.user) }
        let actsFor = request.header.account
        if let key = request.key, key != own.publicKey {
            let account = try book.account(
                of: key, at: WallClock.milliseconds, needing: request.address.kind.row.permission)
            guard actsFor != 0, actsFor != account.number else { return .account(account) }
            try Caller.account(account).require(.actForAnother)
        } else if actsFor == 0 {
            // The connection has storage's own key, or comes from a socket of this process.
            return .machine
        }
        return .account(try book.account(actsFor))
    }
}
