// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Relays with accounts", .inTurn)
struct RelayAccessTests {
    private actor Heard {
        private(set) var names: [String] = []
        private(set) var failure: String?
        func add(_ name: String) { names.append(name) }
        func ended(_ error: any Error) { failure = "\(error)" }
    }

    private func follow(_ client: WaymarkClient) -> (heard: Heard, task: Task<Void, Never>) {
        let heard = Heard()
        let task = Task {
            do {
                for try await change in client.changes() { await heard.add(change.change.landmark.name) }
            } catch {
                await heard.ended(error)
            }
        }
        return (heard, task)
    }

    @Test("every role follows a relay by its key; a key that ends is cut off, and others go on with nothing lost")
    func roles() async throws {
        try await withSecuredPair(isRelay: true) { pair in
            let relay = try #require(await pair.query.relayEndpoint)
            let (_, ann) = try await pair.account("ann", .user)
            let (bobKeys, bob) = try await pair.account("bob", .reader)
            let (_, mod) = try await pair.account("mod", .moderator)
            let welcome = try await ann.hello()
            #expect(welcome.changesEndpoint == relay && welcome.changesKey == pair.serviceKeys.publicKey)
            let all = [follow(ann), follow(bob), follow(mod)]
            var sent = 0
            while true {
                _ = try await ann.add(WriteTests.draft("\(sent)"))
                sent += 1
                var isThere = true
                for one in all where await one.heard.names.isEmpty { isThere = false }
                if isThere { break }
            }
            let machine = try await pair.machine()
            // Nobody follows storage but the relay, which has the service's key.
            #expect(HostileTests.counter("feed_connections", try await machine.status().storage?.counters) == 1)
            try await machine.endKey(bobKeys.publicKey)
            try await until {
                HostileTests.counter("relay_feed_cut_off", try await ann.status().query?.counters) == 1
            }
            // His follower may still take what had come before.
            let cutOff = sent
            for _ in 0..<20 {
                _ = try await ann.add(WriteTests.draft("\(sent)"))
                sent += 1
            }
            for one in [all[0], all[2]] {
                try await until { await one.heard.names.last == "\(sent - 1)" }
                let names = await one.heard.names.compactMap { Int($0) }
                #expect(names == Array((names.first ?? 0)..<sent))
            }
            try await until { await all[1].heard.failure != nil }
            #expect(await all[1].heard.names.allSatisfy { Int($0).map { $0 < cutOff } ?? false })
            #expect(HostileTests.counter("relay_feed_cut_off", try await ann.status().query?.counters) == 1)
            for one in all { one.task.cancel() }
        }
    }

    @Test("a stranger's key, and one without a key, hear nothing of a relay")
    func strangers() async throws {
        try await withSecuredPair(isRelay: true) { pair in
            let relay = try #require(await pair.query.relayEndpoint)
            let (keys, ann) = try await pair.account("ann", .user)
            func security(_ keys: CurveKeyPair) -> SocketSecurity {
                .curveClient(serverKey: pair.serviceKeys.publicKey, keys: keys)
            }
            let strangers = [nil, security(try CurveKeyPair.generate())]
            var peers: [RawPeer] = []
            for security in strangers + [security(keys)] {
                let peer = RawPeer()
                peers.append(peer)
                try await peer.open(relay, context: pair.contexts[2], as: .xsub, security: security)
                let subscription = [[1] + FeedTopic.everything.bytes]
                // A stranger is never connected, so that nobody takes it.
                if peers.count < 3 {
                    try? await peer.send(subscription, tries: 50)
                } else {
                    try await peer.send(subscription)
                }
            }
            _ = try await ann.add(WriteTests.draft("secret"))
            // The one with a key hears the beacon or the change.
            _ = try await peers[2].receive()
            for peer in peers.prefix(2) {
                await #expect(throws: RawPeer.Silence.self) { try await peer.receive(within: .seconds(2)) }
            }
            for peer in peers { await peer.close() }
        }
    }
}
