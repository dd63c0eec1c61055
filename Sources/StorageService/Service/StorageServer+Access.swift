// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import Logging
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Who may connect, and who asks.
extension StorageServer {
    /// Reads the accounts, and says who may connect. Called before the sockets are bound.
    func openDoors(_ lane: WriterLane) async throws {
        guard let access = options.access else { return }
        if let directory = options.directory { DataDirectory.hide(directory) }
        let own = try ownKeys(access)
        self.own = own
        try await handOutKeys(access, lane)
        let news = try await lane.perform { engine throws(EngineError) in try engine.accountNews() }
        desk.book.enter(news.accounts, news.keys, revision: news.revision, isWhole: true, now: WallClock.milliseconds)
        let handler: ZAPHandler
        if let shared = access.handler {
            handler = shared
        } else {
            handler = try await ZAPHandler(context: context)
            ownHandler = handler
        }
        let (book, machine) = (desk.book, own.publicKey)
        await handler.decide(for: KeyDomain.storage) { request in
            Self.verdict(request, book, machine) { AccessRule.allows($0, .actForAnother) }
        }
        await handler.decide(for: KeyDomain.changes) { request in
            Self.verdict(request, book, machine) { AccessRule.allows($0, .follow) }
        }
    }

    private static func verdict(
        _ request: ZAPRequest, _ book: AccountBook, _ own: CurveKey, _ isAllowed: (Role) -> Bool
    ) -> ZAPAnswer {
        guard case .curve(let key) = request.credentials else { return .refuse }
        if key == own { return .admit(userID: key.z85) }
        guard let account = try? book.account(of: key, at: WallClock.milliseconds), isAllowed(account.role) else {
            return .refuse
        }
        return .admit(userID: key.z85)
    }

    /// How a socket asks who connects; nil: not at all.
    func security(_ endpoint: String, _ domain: String) -> SocketSecurity? {
        let isFree = domain == KeyDomain.storage ? ListenRule.isInside(endpoint) : ListenRule.isPrivate(endpoint)
        guard let own, !isFree else { return nil }
        return .curveServer(secretKey: own.secretKey, domain: domain)
    }

    /// The owner of a follower's key; nil if he may not follow now.
    func follower(_ key: CurveKey) -> FeedOwner? {
        if key == own?.publicKey { return .service }
        guard let account = try? desk.book.account(of: key, at: WallClock.milliseconds),
            AccessRule.allows(account.role, .follow)
        else { return nil }
        return account.role == .service ? .service : .account(account.number)
    }

    /// Who asks: as the connection has proved, and as a service says whose keys storage knows.
    func caller(of request: IncomingRequest) throws(ServiceError) -> Caller {
        guard let own else { return .anyone(user: request.header.user) }
        let actsFor = request.header.account
        if let key = request.key, key != own.publicKey {
            let account = try desk.book.account(of: key, at: WallClock.milliseconds)
            guard actsFor != 0, actsFor != account.number else { return .account(account) }
            try Caller.account(account).require(.actForAnother)
        } else if actsFor == 0 {
            // Its own key, or a socket of this process.
            return .machine
        }
        return .account(try desk.book.account(actsFor))
    }

    /// Enters what a commit has changed, and tells those that wait for it.
    func changed(_ news: AccountNews) {
        desk.enter(news, now: WallClock.milliseconds)
        publisher?.cutOffRefused()
        desk.wake()
    }
}
