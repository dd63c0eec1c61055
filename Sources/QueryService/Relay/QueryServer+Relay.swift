// SPDX-License-Identifier: Apache-2.0

import Accounts
import ChangeFeed
import FoundationEssentials
internal import Landmarks
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// The query service as a relay: it publishes what its own follower hands on.
extension QueryServer {
    /// How many changes before its first one a relay reads at a start, so that those who missed them meanwhile need not
    /// ask storage one by one.
    private static let readBefore: UInt64 = 10_000

    /// Binds the relay's socket.
    func openRelay(connections: Int) throws(ZeroMQError) {
        guard let options = options.relay else { return }
        relay = try RelayDesk(
            options, loop: loop, context: context, connections: connections, security: relaySecurity,
            owner: { [weak self] key in self?.assumeIsolated { $0.subscriber(key) } })
    }

    /// Where it publishes changes; nil if it is no relay.
    public var relayEndpoint: String? { relay?.publisher.endpoint }

    /// How the relay's socket asks who connects; nil: not at all.
    private var relaySecurity: SocketSecurity? {
        guard let access = options.access, let relay = options.relay, !ListenRule.isPrivate(relay.listen) else {
            return nil
        }
        return .curveServer(secretKey: access.keys.secretKey, domain: KeyDomain.relay)
    }

    /// The owner of a follower's key; nil if he may not follow now.
    private func subscriber(_ key: CurveKey) -> FeedOwner? {
        if key == options.access?.keys.publicKey { return .service }
        guard let account = try? accounts.book.account(of: key, at: WallClock.milliseconds),
            AccessRule.allows(account.role, .follow)
        else { return nil }
        return account.role == .service ? .service : .account(account.number)
    }

    /// Where clients follow the feed: here if this is a relay, else at storage.
    var feedOffered: FeedAddress {
        guard let relay, let options = options.relay else { return facts.changes }
        return FeedAddress(
            Endpoint.announced(options.advertise ?? relay.publisher.endpoint), .batched,
            key: relaySecurity == nil ? nil : self.options.access?.keys.publicKey)
    }

    /// The oldest revision from which changes can be had, as far as is known here.
    var knownFloor: UInt64 { max(facts.floor, follower?.floor ?? 0) }

    // MARK: What the follower says

    /// The follower begins at the position of a replica that was just loaded.
    func beginRelaying(at position: Position) {
        guard relay != nil, let run = position.run else { return }
        relay?.began(at: position, run: run, floor: knownFloor)
        guard let stretch = relay?.relay.stretches else { return }
        Task { await fillRelay(before: position, stretch) }
    }

    /// - Returns: false if the change cannot be published, and nothing after it.
    func relay(_ change: ReceivedChange) -> Bool {
        do throws(InvalidInput) {
            try relay?.took(change, in: follower?.position.run, floor: knownFloor)
            return true
        } catch {
            logger.error("a change cannot be published", metadata: ["rev": "\(change.rev)", "error": "\(error)"])
            return false
        }
    }

    func relayReached() { relay?.reached(in: follower?.position.run, floor: knownFloor) }

    /// Reads the changes before the relay's first one from storage.
    private func fillRelay(before first: Position, _ stretch: UInt64) async {
        let oldest = max(first.rev - min(first.rev, Self.readBefore), knownFloor - min(knownFloor, 1))
        var position = Position(epoch: first.epoch, rev: oldest)
        var older: [[UInt8]] = []
        var bytes = 0
        var run: UUIDv7?
        while position.rev < first.rev, server != nil, relay?.relay.stretches == stretch {
            guard let page = try? await readLog(after: position, matching: .everything, wait: 0),
                page.through > position.rev
            else { return }
            // Storage was restarted in between: not worth a second try.
            guard run == nil || page.run == run else { return }
            run = page.run
            for change in page.changes where change.rev <= first.rev {
                older.append(change.payload.change.bytes)
                bytes += older[older.count - 1].count
            }
            // A change may have a quarter of a megabyte. Only the latest ones fit.
            var surplus = 0
            while bytes > options.relay?.bytes ?? 0 {
                bytes -= older[surplus].count
                surplus += 1
            }
            older.removeFirst(surplus)
            position.rev = page.through
        }
        relay?.filled(older, through: first.rev, run: run, stretch: stretch)
    }

    // MARK: Requests

    /// Answers `changes` from the relay's memory.
    ///
    /// The answer has to include what this service knows to be acknowledged, as storage's would. So a request waits until
    /// the relay has reached that.
    ///
    /// - Returns: false if storage has to answer.
    func answerChanges(_ changes: WireChanges, _ request: IncomingRequest) -> Bool {
        guard let log = relay?.log, !state.isFeedLost || isStorageAway else { return false }
        var request = request
        if !request.header.hasAtLeast {
            if facts.epoch == log.epoch, facts.head > log.head, !isStorageAway {
                request.header.ask(atLeast: Position(epoch: log.epoch, rev: facts.head))
            }
        }
        if request.header.hasAtLeast {
            guard let wanted = request.header.wanted, wanted.epoch == log.epoch else { return false }
            if wanted.rev > log.head {
                // Storage checks whether there can be such a revision.
                guard wanted.rev <= facts.head, state.phase == .following else { return false }
                park(.changes(changes), request, until: wanted.rev)
                return true
            }
        }
        do throws(InvalidInput) {
            guard let answer = try relay?.answer(changes, floor: knownFloor) else { return false }
            self.answer(request.address, answer)
        } catch {
            refuse(request.address, ServiceError(error))
        }
        return true
    }
}
