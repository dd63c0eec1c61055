// SPDX-License-Identifier: Apache-2.0

import Accounts
import ChangeFeed
internal import Landmarks
import Logging
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// The query service as a relay, which publishes the changes that it receives from storage's feed again.
extension ReplicaSync {
    /// At its start a relay reads this many older changes, so that not all clients that missed some have to ask
    /// storage.
    private static let readBefore: UInt64 = 10_000

    /// Binds the relay's socket.
    ///
    /// - Parameter owner: finds the account that owns a follower's key; returns nil if the owner may not follow now.
    func openRelay(connections: Int, owner: @escaping (CurveKey) -> FeedOwner?) throws(ZeroMQError) {
        guard let relayed = options.relay else { return }
        relay = try RelayDesk(
            relayed, loop: home.loop, context: home.context, connections: connections,
            security: options.security(relayed.listen, KeyDomain.relay), owner: owner)
    }

    /// The address of the feed that clients should follow: this service's if it is a relay, else storage's.
    var feedOffered: FeedAddress {
        guard let relay, let relayed = options.relay else { return link.state.changes }
        return FeedAddress(
            Endpoint.announced(relayed.advertise ?? relay.publisher.endpoint),
            key: options.security(relayed.listen, KeyDomain.relay) == nil ? nil : options.access?.keys.publicKey)
    }

    // MARK: Events of the feed

    /// Begins to publish, from the position of a replica that was just loaded.
    func beginRelaying(at position: Position) {
        guard relay != nil, let run = position.run else { return }
        relay?.began(at: position, run: run, floor: knownFloor)
        guard let stretch = relay?.relay.stretches else { return }
        home.spawn {
            await self.fillRelay(before: position, stretch)
        }
    }

    /// Publishes a change. Returns false if it cannot be published. Then no later change may be published either.
    func relay(_ change: EncodedChange) -> Bool {
        do throws(InvalidInput) {
            try relay?.took(change, in: feed?.position.run, floor: knownFloor)
            return true
        } catch {
            home.logger.error("a change cannot be published", metadata: ["rev": "\(change.rev)", "error": "\(error)"])
            return false
        }
    }

    /// Reads the changes before the relay's first change from storage. Asks again while storage does not answer, because
    /// otherwise its clients would ask storage for them, for as long as the relay runs.
    private nonisolated(nonsending) func fillRelay(before first: Position, _ stretch: UInt64) async {
        let oldest = max(first.rev - min(first.rev, Self.readBefore), knownFloor - min(knownFloor, 1))
        var position = Position(epoch: first.epoch, rev: oldest)
        var older: [[UInt8]] = []
        var bytes = 0
        var run: UUIDv7?
        var pauses = SnapshotPauses()
        while position.rev < first.rev, isOpen, relay?.relay.stretches == stretch {
            let page: PulledPage
            do throws(ServiceError) {
                page = try await link.readLog(after: position, matching: .everything, wait: 0)
            } catch {
                guard error.code.isRetryable else { return }
                try? await Task.sleep(for: pauses.next(asked: error.retryAfter))
                continue
            }
            guard page.through > position.rev else { return }
            // Storage was restarted between two pages. Starting over is not worth it.
            guard run == nil || page.run == run else { return }
            run = page.run
            for change in page.changes where change.rev <= first.rev {
                older.append(change.payload.change.bytes)
                bytes += older[older.count - 1].count
            }
            // A change can have a quarter of a megabyte, so perhaps only the latest changes fit.
            var surplus = 0
            while bytes > options.relay?.bytes ?? 0 {
                bytes -= older[surplus].count
                surplus += 1
            }
            older.removeFirst(surplus)
            position.rev = page.through
        }
        relay?.relay.filled(older, through: first.rev, run: run, stretch: stretch)
    }
}
