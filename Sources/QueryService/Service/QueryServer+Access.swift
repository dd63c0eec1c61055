// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
internal import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// Who may connect, and who asks. The accounts are storage's; this is a copy that follows them.
extension QueryServer {
    /// Milliseconds that storage may keep the question for news. Less than the pause after which a question is sent again.
    private static let patience: UInt32 = 900

    /// Says who may connect. Called before the sockets are bound.
    func openDoors() async throws(ZeroMQError) {
        guard let access = options.access else { return }
        let handler: ZAPHandler
        if let shared = access.handler {
            handler = shared
        } else {
            handler = try await ZAPHandler(context: context)
            doors.ownHandler = handler
        }
        accounts.newcomers.onNew { [weak self] in Task { await self?.lookForNewcomers() } }
        let (book, own, newcomers) = (accounts.book, access.keys.publicKey, accounts.newcomers)
        let admits: @Sendable (ZAPRequest) -> ZAPAnswer = { request in
            guard case .curve(let key) = request.credentials else { return .refuse }
            if key == own { return .admit(userID: key.z85) }
            if (try? book.account(of: key, at: WallClock.milliseconds)) != nil { return .admit(userID: key.z85) }
            // A client that is refused never tries again. So a key that nobody knows is refused only when the accounts
            // have been read after it came: it may have been added a moment ago.
            return book.knows(key) || newcomers.isStranger(key) ? .refuse : .tryLater
        }
        await handler.decide(for: KeyDomain.requests, admits)
        // Every account may follow.
        await handler.decide(for: KeyDomain.relay, admits)
        await handler.decide(for: KeyDomain.signIn) { request in
            guard case .curve(let key) = request.credentials else { return .refuse }
            return .admit(userID: key.z85)
        }
    }

    /// How the socket for requests asks who connects; nil: not at all.
    var security: SocketSecurity? {
        guard let access = options.access, !ListenRule.isPrivate(options.listen) else { return nil }
        return .curveServer(secretKey: access.keys.secretKey, domain: KeyDomain.requests)
    }

    /// The account that a request is made for, as the connection has proved: 0 for the service's own machine, and where
    /// there are no accounts. A trusted asker is a service, and says itself for whom and from where it asks.
    ///
    /// - Throws: ``ErrorCode/keyEnded``, ``ErrorCode/accountEnded``.
    func asker(of request: IncomingRequest) throws(ServiceError) -> (account: UInt64, isTrusted: Bool) {
        guard let access = options.access else { return (0, false) }
        let actsFor = request.header.account
        guard let key = request.key, key != access.keys.publicKey else {
            // Its own key, or a socket that only this user can open.
            return (actsFor == 0 ? 0 : try accounts.book.account(actsFor).number, true)
        }
        let account = try accounts.book.account(of: key, at: WallClock.milliseconds)
        guard AccessRule.allows(account.role, .actForAnother) else { return (account.number, false) }
        return (actsFor == 0 ? account.number : try accounts.book.account(actsFor).number, true)
    }

    // MARK: Following the accounts

    func beginFollowingAccounts() {
        guard options.access != nil else { return }
        doors.following = Task { [weak self] in
            while !Task.isCancelled, let self {
                if await self.followAccounts(wait: Self.patience) == false {
                    try? await Task.sleep(for: .milliseconds(250))
                }
            }
        }
    }

    /// Reads the accounts for a key that is not among them: it may have been added a moment ago.
    func lookForNewcomers() async {
        doors.wantsLook = true
        guard !doors.isLooking else { return }
        doors.isLooking = true
        while doors.wantsLook {
            // One that comes while the answer is on its way needs another one.
            doors.wantsLook = false
            _ = await followAccounts(wait: 0)
            // Strangers must not keep storage busy.
            try? await Task.sleep(for: .milliseconds(20))
        }
        doors.isLooking = false
    }

    /// - Parameter wait: the milliseconds that storage may wait for news.
    /// - Returns: whether storage has answered.
    func followAccounts(wait: UInt32) async -> Bool {
        let round = accounts.newcomers.ask()
        do throws(ServiceError) {
            var pages = FollowedAccounts(
                epoch: doors.epoch, since: accounts.book.isLoaded ? accounts.book.revision : 0, wait: wait)
            repeat {
                let question = pages.question
                let reply = try await ask(.with { $0.followAccounts = question })
                guard case .accountPage(let page)? = reply.result, pages.add(page) else { throw .unexpectedAnswer }
            } while pages.isUnfinished
            doors.trouble = nil
            // The other question may have been answered meanwhile, with something newer.
            let isOther = !accounts.book.isLoaded || pages.epoch != doors.epoch
            if isOther ? pages.isWhole : pages.revision > accounts.book.revision {
                doors.epoch = pages.epoch
                accounts.book.enter(
                    pages.accounts, pages.keys, revision: pages.revision, isWhole: pages.isWhole,
                    now: WallClock.milliseconds)
                relay?.publisher.cutOffRefused()
            }
            accounts.newcomers.haveRead(asked: round)
            await (options.access?.handler ?? doors.ownHandler)?.reconsider()
            return true
        } catch {
            doors.trouble = error.code == .unavailable ? nil : error.message
            return false
        }
    }
}

extension QueryOptions {
    /// How the service proves to storage who it is. All of storage's endpoints have the same key.
    func storageSecurity(_ endpoint: String) -> SocketSecurity? {
        guard let access, let storage = access.storage, !ListenRule.isInside(endpoint) else { return nil }
        return .curveClient(serverKey: storage, keys: access.keys)
    }
}
