// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

// Input on the changes port.
extension HostileTests {
    @Test("topics beyond the limit are refused and counted, and an honest subscriber is not disturbed")
    func manyTopics() async throws {
        try await withPair(.tcp) { pair, client in
            let filter = FeedFilter(kinds: ["beach"])
            var feed = client.feed(matching: filter).makeAsyncIterator()
            _ = try await feed.next()
            let peer = RawPeer()
            try await peer.open(pair.changesEndpoint, context: pair.context, as: .xsub)
            for number in 0..<40_000 {
                try await peer.send([[1] + FeedTopic(carrying: FeedFilter(kinds: ["k\(number)"])).bytes])
            }
            func counters() async throws -> (feeds: UInt64, refused: UInt64) {
                let counters = try await storageStatus(client).counters
                return (Self.counter("feed_topics", counters), Self.counter("feed_refused_topics", counters))
            }
            // Subscriptions that libzmq dropped at its own high-water mark never arrived, so they are repeated.
            while try await counters().refused == 0, try await counters().feeds < 32_768 {
                for number in 40_000..<80_000 {
                    try await peer.send([[1] + FeedTopic(carrying: FeedFilter(kinds: ["k\(number)"])).bytes])
                }
            }
            #expect(try await counters().feeds <= 32_768)
            let draft = try LandmarkDraft(
                name: "Bondi", coordinate: try Coordinate(latitude: -33.889967, longitude: 151.276440), kind: "beach")
            let rev = try await client.add(draft).rev
            while let item = try await feed.next() {
                if case .change(let told) = item {
                    #expect(told.position.rev == rev)
                    break
                }
            }
            await peer.close()
        }
    }

    @Test("no input on the changes port silences the feed for other subscribers")
    func changesPort() async throws {
        try await withPair(.tcp) { pair, client in
            let welcome = try await client.hello()
            let feed = client.feed(since: .after(welcome.position))
            let peer = RawPeer()
            try await peer.open(pair.changesEndpoint, context: pair.context, as: .xsub)
            for first in [0, 1, 0, 0, 2, 255] as [UInt8] {
                try await peer.send([[first] + FeedTopic.everything.bytes])
                try await peer.send([[first] + [UInt8](repeating: first, count: 300)])
            }
            // Once a subscription of this peer is answered, its earlier messages were read.
            try await peer.send([[1] + FeedTopic.everything.bytes])
            _ = try await peer.receive()
            _ = try await client.add(WriteTests.draft())
            #expect(try await FeedTests.take(1, feed).map(\.rev) == [1])
            await peer.close()
        }
    }
}
