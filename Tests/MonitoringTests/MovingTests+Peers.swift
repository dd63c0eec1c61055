// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@testable import StorageService

// Peers that are broken, hostile or slow.
extension MovingTests {
    /// Input that only a broken or hostile peer sends.
    func hostility(_ stage: Stage) async throws {
        for (side, endpoint, path) in [
            (Stage.Side.storage, stage.commands, "/s"), (.query, stage.endpoint, "/q"),
        ] {
            let peer = RawPeer()
            var crowd: [RawPeer] = []
            try await peer.open(endpoint, context: stage.context, holding: 1_000)
            try await stage.move(side, ["waymark_requests_malformed_total"]) { try await peer.send([[1, 2, 3]]) }
            try await stage.move(side, ["waymark_requests_expired_total"]) {
                // The fastest request of a connection sets the baseline of transfer times. One that took ten seconds
                // longer has expired.
                let now = Monotonic.milliseconds
                let status = WireRequest.with { $0.status = WireStatus() }
                try await peer.send(try RawPeer.frames(status, RawPeer.header(1, sent: now)))
                try await peer.send(try RawPeer.frames(status, RawPeer.header(2, sent: now - 10_000)))
            }
            await peer.close()
            try await stage.move(side, ["waymark_handshakes_failed_total"]) {
                let stranger = try RawConnection(path: stage.folder.path + path)
                stranger.send(String(repeating: "GET / HTTP/1.1\r\n", count: 20))
                _ = await stranger.receiveAll()
            }
            try await stage.move(side, ["waymark_answers_dropped_total", "waymark_answers_held_bytes"]) {
                let deaf = RawPeer()
                try await deaf.open(endpoint, context: stage.context, holding: 1)
                let hello = WireRequest.with { $0.hello = .with { $0.agent = "deaf" } }
                for number in 0..<12_000 {
                    try await deaf.send(try RawPeer.frames(hello, RawPeer.header(UInt64(number + 1), timeout: 60_000)))
                }
                crowd.append(deaf)
            }
            try await stage.move(side, ["waymark_answers_held_bytes"]) { await close(&crowd) }
            try await stage.move(side, ["waymark_connections", "waymark_connections_turned_away_total"]) {
                crowd = try await gather(stage, .dealer, endpoint)
            }
            try await stage.move(side, ["waymark_connections"]) { await close(&crowd) }
            try await stage.move(side, ["waymark_answers_unroutable_total"]) {
                // On a busy machine not even its requests may have come before it goes. Then another one tries.
                let earlier = try await stage.fresh(side).total("waymark_answers_unroutable_total")
                for number in 0..<200 {
                    let gone = RawPeer()
                    try await gone.open(endpoint, context: stage.context, holding: 1_000)
                    // The answer needs the database, and the peer may have gone by then.
                    for part in 0..<50 {
                        let status = WireRequest.with { $0.status = WireStatus() }
                        let header = RawPeer.header(UInt64(number * 50 + part + 1))
                        try await gone.send(try RawPeer.frames(status, header))
                    }
                    try await Task.sleep(for: .milliseconds(number))
                    await gone.close()
                    if number >= 19, try await stage.fresh(side).total("waymark_answers_unroutable_total") > earlier {
                        break
                    }
                }
            }
        }
        var subscribers: [RawPeer] = []
        try await stage.move(.storage, ["waymark_storage_feed_connections_turned_away_total"]) {
            subscribers = try await gather(stage, .sub, stage.changes)
        }
        await close(&subscribers)
        // The remaining connection is the relay's.
        try await until(stage, .storage) { $0.value("waymark_storage_feed_connections") == 1 }
        let subscriber = RawPeer()
        try await stage.move(
            .storage,
            [
                "waymark_storage_feed_connections", "waymark_storage_feed_topics",
                "waymark_storage_feed_subscriptions_total", "waymark_storage_feed_unknown_topics_total",
            ]
        ) {
            try await subscriber.open(stage.changes, context: stage.context, as: .sub, holding: 1_000)
            try await subscriber.subscribe([FeedTopic(carrying: FeedFilter(kinds: ["theatre"])).bytes, [1, 2, 3]])
        }
        try await stage.move(.storage, ["waymark_storage_feed_refused_topics_total"]) {
            try await subscriber.subscribe(
                (0..<(FeedPublisher.mostFeeds + 10)).map { FeedTopic(carrying: FeedFilter(kinds: ["k\($0)"])).bytes })
        }
        let full = try await stage.fresh(.storage)
        #expect(full.value("waymark_storage_feed_topics") == Double(FeedPublisher.mostFeeds))
        try await stage.move(.storage, ["waymark_storage_feed_connections", "waymark_storage_feed_topics"]) {
            await subscriber.close()
        }
        try await until(stage, .storage) { $0.value("waymark_storage_feed_connections") == 1 }
    }

    /// Opens one connection more than the limit.
    func gather(_ stage: Stage, _ kind: Socket.Kind, _ endpoint: String) async throws -> [RawPeer] {
        var crowd: [RawPeer] = []
        for _ in 0...Stage.mostConnections {
            let peer = RawPeer()
            try await peer.open(endpoint, context: stage.context, as: kind, holding: 1_000)
            crowd.append(peer)
        }
        return crowd
    }

    func close(_ peers: inout [RawPeer]) async {
        for peer in peers { await peer.close() }
        peers = []
    }

    func deafSubscribers(_ stage: Stage, _ client: WaymarkClient) async throws {
        let deaf = RawPeer()
        try await deaf.open(stage.changes, context: stage.context, as: .sub, holding: 1)
        try await deaf.subscribe([FeedTopic.everything.bytes])
        let note = String(repeating: "n", count: 9_000)
        try await stage.move(.storage, ["waymark_storage_feed_held_bytes"]) {
            for number in 0..<100 { _ = try await client.add(try stage.draft(number), note: note) }
        }
        try await stage.move(.storage, ["waymark_storage_feed_held_back_total"]) {
            try await stage.storage.publisherMayHold(0)
            _ = try await client.add(try stage.draft(1))
        }
        try await stage.move(.storage, ["waymark_storage_feed_held_bytes"]) { await deaf.close() }
        try await stage.storage.publisherMayHold(1 << 20)
    }

    /// A subscriber of the relay that does not read, and questions for what was missed.
    func relay(_ stage: Stage, _ client: WaymarkClient) async throws {
        let deaf = RawPeer()
        let filtered = FeedTopic(carrying: FeedFilter(kinds: ["theatre"]))
        try await stage.move(.query, ["waymark_query_relay_connections", "waymark_query_relay_topics"]) {
            try await deaf.open(stage.published, context: stage.context, as: .sub, holding: 1)
            try await deaf.subscribe([FeedTopic.everything.bytes, filtered.bytes])
        }
        var crowd: [RawPeer] = []
        try await stage.move(.query, ["waymark_query_relay_connections_turned_away_total"]) {
            crowd = try await gather(stage, .sub, stage.published)
        }
        await close(&crowd)
        let greedy = RawPeer()
        try await greedy.open(stage.published, context: stage.context, as: .sub, holding: 1_000)
        try await stage.move(.query, ["waymark_query_relay_refused_topics_total"]) {
            try await greedy.subscribe(
                (0..<(FeedPublisher.mostFeeds + 10)).map { FeedTopic(carrying: FeedFilter(kinds: ["k\($0)"])).bytes })
        }
        await greedy.close()
        let note = String(repeating: "n", count: 9_000)
        try await stage.move(.query, ["waymark_query_relay_held_bytes"]) {
            for number in 0..<100 { _ = try await client.add(try stage.draft(number), note: note) }
        }
        await deaf.close()
        var position = try await client.hello().position
        try await stage.move(.query, ["waymark_query_relay_answered_total"]) {
            _ = try await client.changes(after: position)
        }
        try await stage.move(.query, ["waymark_query_relay_passed_on_total"]) {
            position.run = UUIDv7(high: 1, low: 1)
            _ = try? await client.changes(after: position)
        }
    }
}

extension StorageServer {
    fileprivate func publisherMayHold(_ bytes: Int) { running?.commits.publisher.sender.mostHeld = bytes }
}
