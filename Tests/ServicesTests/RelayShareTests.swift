// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// One account cannot take the feed from the others.
@Suite("Shares of a relay", .inTurn)
struct RelayShareTests {
    /// Of 24 connections.
    private static let share = 3

    private func subscriber(
        _ pair: SecuredPair, _ keys: CurveKeyPair, _ topics: [FeedTopic] = [.everything]
    ) async throws -> RawPeer {
        let relay = try #require(await pair.query.relayEndpoint)
        let peer = RawPeer()
        try await peer.open(
            relay, context: pair.contexts[2], as: .xsub,
            security: .curveClient(serverKey: pair.serviceKeys.publicKey, keys: keys))
        for topic in topics { try await peer.send([[1] + topic.bytes]) }
        return peer
    }

    private func counter(_ name: String, _ client: WaymarkClient) async throws -> UInt64 {
        HostileTests.counter("relay_feed_" + name, try await client.status().query?.counters)
    }

    @Test("an account has its share of connections with all its keys; further ones are closed, and others follow")
    func connections() async throws {
        try await withSecuredPair(isRelay: true, connections: 24) { pair in
            let (annKeys, ann) = try await pair.account("ann", .user)
            let (bobKeys, bob) = try await pair.account("bob", .reader)
            let second = try CurveKeyPair.generate()
            _ = try await bob.addKey(second.publicKey, label: "second")
            var peers: [RawPeer] = []
            for number in 0..<Self.share {
                peers.append(try await subscriber(pair, number == 0 ? bobKeys : second))
                _ = try await peers[number].receive()
            }
            let greedy = try await subscriber(pair, bobKeys)
            try await greedy.disconnected()
            #expect(try await counter("connections_turned_away", ann) >= 1)
            // A client of bob's is refused too, and reads the log.
            let told = Task { () -> String? in
                for try await change in bob.changes() { return change.change.landmark.name }
                return nil
            }
            let honest = try await subscriber(pair, annKeys)
            _ = try await honest.receive()
            // Whoever begins to follow does so at an unknown time, so there is always another change.
            let writing = Task {
                while !Task.isCancelled {
                    _ = try? await ann.add(WriteTests.draft("news"))
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            #expect(try await told.value == "news")
            writing.cancel()
            // One that leaves makes room.
            await peers.removeLast().close()
            _ = try await greedy.receive()
            for peer in peers + [greedy, honest] { await peer.close() }
        }
    }

    @Test("an account has its share of topics; its connection is closed then, and others get feeds of their own")
    func topics() async throws {
        try await withSecuredPair(isRelay: true) { pair in
            let (annKeys, ann) = try await pair.account("ann", .user)
            let (bobKeys, _) = try await pair.account("bob", .reader)
            func topics(_ count: Int) -> [FeedTopic] {
                (0..<count).map { FeedTopic(carrying: FeedFilter(kinds: ["k\($0)"])) }
            }
            let share = FeedPublisher.mostFeeds / 8
            let full = try await subscriber(pair, bobKeys, [])
            // libzmq drops subscriptions beyond its high-water mark of 1,000, so no more than half of them are sent at once.
            for (number, topic) in topics(share).enumerated() {
                try await full.send([[1] + topic.bytes])
                guard number % 500 == 499 || number == share - 1 else { continue }
                try await until { try await counter("topics", ann) == UInt64(number + 2) }
            }
            #expect(try await counter("refused_topics", ann) == 0)
            // What exists already costs nothing; something new is refused.
            let sharing = try await subscriber(pair, bobKeys, topics(1))
            _ = try await sharing.receive()
            let other = FeedTopic(carrying: FeedFilter(kinds: ["other"]))
            let greedy = try await subscriber(pair, bobKeys, [other])
            try await greedy.disconnected()
            #expect(try await counter("refused_topics", ann) >= 1)
            let honest = try await subscriber(pair, annKeys, [other])
            _ = try await honest.receive()
            for peer in [full, sharing, greedy, honest] { await peer.close() }
        }
    }

    @Test("connections that say nothing have one share together, and never keep out who subscribes")
    func silent() async throws {
        try await withSecuredPair(isRelay: true, connections: 24) { pair in
            let (keys, ann) = try await pair.account("ann", .user)
            var peers: [RawPeer] = []
            for _ in 0..<30 { peers.append(try await subscriber(pair, keys, [])) }
            let honest = try await subscriber(pair, keys)
            _ = try await honest.receive()
            #expect(try await counter("connections", ann) <= 24)
            for peer in peers + [honest] { await peer.close() }
        }
    }
}
