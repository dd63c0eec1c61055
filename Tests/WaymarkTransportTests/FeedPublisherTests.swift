// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@Suite("A publisher that begins anew, and its subscribers", .inShortTurn)
struct FeedPublisherTests {
    @Test("a revision that was published in the history before is published again")
    func sameRevision() async throws {
        try await withFollowedFeed { feed in
            let endpoint = try await feed.publish()
            try await feed.commit(1...5)
            // As a relay begins after an older copy was put back: revision 5 will be another change.
            let run = UUIDv7(high: 2, low: 2)
            await feed.begin(FeedNumbering(epoch: FollowedFeed.epoch, run: run, head: 4, floor: 1, count: 1_000))
            await feed.follow(from: 4)
            try await feed.subscribe(to: endpoint)
            try await feed.until { $0.pulls.count == 1 }
            await feed.answer([], through: 4, run: run)
            try await feed.until { $0.has("reached 4") }
            try await feed.change(5)
            // A beacon that names a change which was not counted would be believed.
            try await feed.until { $0.has("added 5") || $0.has("reached 5") }
            #expect(await feed.told == ["reached 4", "added 5"])
        }
    }

    /// The revisions of the next changes that a peer receives on a topic. Beacons have none.
    private static func revisions(_ count: Int, of peer: RawPeer, _ topic: FeedTopic) async throws -> [UInt64] {
        var revs: [UInt64] = []
        while revs.count < count {
            let message = try await peer.receive()[0]
            guard message.starts(with: topic.bytes) else { continue }
            let batch = try WireFeedBatch(serializedBytes: Array(message.dropFirst(topic.bytes.count)))
            revs += batch.changes.map(\.rev)
        }
        return revs
    }

    @Test("of two subscribers of a topic one leaves, and the other goes on getting changes")
    func oneLeaves() async throws {
        try await withFollowedFeed { feed in
            let endpoint = try await feed.publish()
            let topics = ["beach", "pool"].map { FeedTopic(carrying: FeedFilter(kinds: [$0])) }
            let peers = [RawPeer(), RawPeer()]
            for peer in peers {
                try await peer.open(endpoint, context: feed.context, as: .xsub)
                try await peer.send([[1] + topics[0].bytes])
                // Its first beacon: it is subscribed.
                _ = try await peer.receive()
            }
            for rev in UInt64(1)...3 { try await feed.change(rev, kind: "beach") }
            for peer in peers { #expect(try await Self.revisions(3, of: peer, topics[0]) == [1, 2, 3]) }
            try await peers[0].send([[0] + topics[0].bytes])
            // They are heard in order: the first beacon of this topic comes after the end of the other one.
            try await peers[0].send([[1] + topics[1].bytes])
            while try await !peers[0].receive()[0].starts(with: topics[1].bytes) {}
            for rev in UInt64(4)...6 { try await feed.change(rev, kind: "beach") }
            #expect(try await Self.revisions(3, of: peers[1], topics[0]) == [4, 5, 6])
            for peer in peers { await peer.close() }
        }
    }

    @Test("a change that the publisher cannot read leaves a hole, for which its subscribers read the log")
    func unreadable() async throws {
        try await withFollowedFeed { feed in
            let endpoint = try await feed.publish()
            await feed.follow()
            try await feed.subscribe(to: endpoint)
            try await feed.until { $0.pulls.count == 1 }
            await feed.answer([], through: 0)
            try await feed.until { $0.has("reached 0") }
            try await feed.change(1, nil)
            try await feed.until { $0.pulls.count == 2 }
            await feed.answer([1], through: 1)
            try await feed.until { $0.has("added 1") }
        }
    }
}
