// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@Suite("A publisher that begins anew", .inShortTurn)
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
