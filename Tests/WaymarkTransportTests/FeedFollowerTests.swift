// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkTransport

@Suite("A follower with its socket, its timer and its pulls", .inShortTurn, .serialized)
struct FeedFollowerTests {
    /// Makes the follower of `feed` follow live, with everything through `rev` reported.
    private func live(_ feed: FollowedFeed, filter: FeedFilter = .everything, at rev: UInt64 = 0) async throws {
        let endpoint = try await feed.publish(from: rev)
        await feed.follow(filter, from: rev)
        try await feed.subscribe(to: endpoint)
        try await feed.until { $0.pulls.count == 1 }
        await feed.answer([], through: rev)
        try await feed.until { $0.has("reached \(rev)") }
    }

    @Test("changes arrive live; one that cannot be read is read from the log")
    func unreadable() async throws {
        try await withFollowedFeed { feed in
            try await live(feed)
            try await feed.change(1)
            try await feed.until { $0.has("added 1") }
            try await feed.change(2, payload: [0xff, 0xff])
            try await feed.until { $0.unreadable == 1 && $0.pulls.count == 2 }
            #expect(await feed.pulls.last?.rev == 1)
            await feed.answer([2], through: 2)
            try await feed.until { $0.has("resumed 2 replayed 1") }
            let told = await feed.told.filter { $0.hasPrefix("added") || $0.hasPrefix("gap") }
            #expect(told == ["added 1", "gap 1", "added 2"])
        }
    }

    @Test("changes of one commit arrive in order, also where some of them cannot be read")
    func together() async throws {
        try await withFollowedFeed { feed in
            try await live(feed)
            try await feed.commit(1...300)
            try await feed.until { $0.has("added 300") }
            try await feed.change(301, payload: [0xff, 0xff])
            try await feed.commit(302...303)
            try await feed.until { $0.pulls.count == 2 }
            await feed.answer([301, 302, 303], through: 303)
            try await feed.until { $0.has("added 303") }
            let told = await feed.told.filter { $0.hasPrefix("added") }
            #expect(told == (1...303).map { "added \($0)" })
        }
    }

    @Test("a change that the topic includes but the filter does not is reported as a mark")
    func widened() async throws {
        try await withFollowedFeed { feed in
            // Far too long for a topic, so the topic of everything is followed.
            let kinds = Set((0..<40).map { "kind\($0)" })
            let filter = FeedFilter(kinds: kinds)
            #expect(!FeedTopic(carrying: filter).isExact(for: filter))
            try await live(feed, filter: filter)
            try await feed.change(1, kind: "other")
            try await feed.change(2, kind: "kind7")
            try await feed.until { $0.has("added 2") }
            #expect(await feed.told.filter { $0 != "reached 0" } == ["reached 1", "added 2"])
        }
    }

    @Test("a held follower reports and requests nothing; a released one reads the log for what it dropped")
    func holds() async throws {
        try await withFollowedFeed { feed in
            try await live(feed)
            await feed.hold()
            await feed.poll()
            for rev in 1...3 as ClosedRange<UInt64> { try await feed.change(rev) }
            let toldWhenHeld = await feed.told
            #expect(toldWhenHeld == ["reached 0"])
            #expect(await feed.pulls.count == 1)
            await feed.release()
            #expect(await feed.pulls.count == 2)
            await feed.answer([1, 2, 3], through: 3)
            try await feed.until { $0.has("added 3") }
        }
    }

    @Test("a pull that fails for now, or brings nothing, is repeated; one that would fail again ends the feed")
    func pulls() async throws {
        try await withFollowedFeed { feed in
            let endpoint = try await feed.publish(from: 5)
            await feed.follow(from: 1)
            try await feed.subscribe(to: endpoint)
            for (count, code) in [ErrorCode.busy, .unavailable, .internal, .notYet].enumerated() {
                try await feed.until { $0.pulls.count == count + 1 }
                await feed.fail(code)
            }
            try await feed.until { $0.pulls.count == 5 }
            await feed.answer([], through: 1)
            try await feed.until { $0.pulls.count == 6 }
            #expect(await feed.told.isEmpty)
            await feed.fail(.compacted)
            #expect(await feed.told == ["ended compacted"])
            // Nothing follows the end.
            await feed.answer([2], through: 5)
            await feed.poll()
            #expect(await feed.told.count == 1)
            #expect(await feed.pulls.count == 6)
        }
    }

    @Test("silence is reported, the log is read meanwhile, and one question at a time asks for the publisher")
    func lost() async throws {
        try await withFollowedFeed { feed in
            await feed.follow(patience: 500)
            try await feed.subscribe(to: try await feed.publish())
            await feed.silencePublisher()
            try await feed.until { $0.has("lost") && $0.locates == 1 && $0.pulls.count == 1 }
            // A publisher is heard once more and is silent again. The first question is unanswered, so none is added.
            try await feed.subscribe(to: try await feed.publish())
            try await feed.until { feed in
                feed.answer([], through: 0)
                return feed.has("resumed 0 replayed 0")
            }
            await feed.silencePublisher()
            try await feed.until { $0.told.last == "lost" }
            #expect(await feed.locates == 1)
            // An empty answer is followed by another question, after a pause.
            await feed.located(nil)
            try await feed.until { $0.locates == 2 }
            // An answer with another endpoint is followed there. If the machine stands still for longer than the
            // patience, that publisher is lost too and another question is asked, so each question is answered.
            let next = UUIDv7(high: 2, low: 3)
            let place = try await feed.publish(run: next)
            try await feed.until { feed in
                if feed.questions > 0 { feed.located(place) }
                feed.answer([], through: 0, run: next)
                return feed.told.last == "resumed 0 replayed 0"
            }
        }
    }
}
