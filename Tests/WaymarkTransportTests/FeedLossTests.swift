// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Glibc
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkTransport

@Suite("A follower whose feed cannot be reached", .inShortTurn, .serialized)
struct FeedLossTests {
    /// A port at which nothing listens.
    private static func free(_ feed: FollowedFeed) async throws -> String {
        let endpoint = try await feed.publish()
        await feed.silencePublisher()
        return endpoint
    }

    @Test("each page is followed by the next pull, which may wait; so a change needs no pause of the follower")
    func pulls() async throws {
        try await withFollowedFeed { feed in
            // With a pull for each of these intervals the test would take minutes.
            await feed.follow(patience: 4_000)
            try await feed.subscribe(to: try await Self.free(feed))
            for rev in 1...30 as ClosedRange<UInt64> {
                try await feed.until { $0.pulls.count == rev }
                await feed.answer([rev], through: rev)
            }
            try await feed.until { $0.has("added 30") && $0.pulls.count == 31 }
            let told = await feed.told.filter { $0.hasPrefix("added") || $0 == "lost" }
            #expect(told == ["lost"] + (1...30).map { "added \($0)" })
            #expect(await feed.waits.allSatisfy { $0 == FeedFollower.Timing().wait })
            #expect(await feed.losses.map(\.cause) == [.unreachable])
        }
    }

    @Test("of a service that lets no request wait the log is read as often as there is a check for silence")
    func olderService() async throws {
        try await withFollowedFeed { feed in
            await feed.follow(patience: 400)
            try await feed.subscribe(to: try await Self.free(feed))
            try await feed.until { $0.pulls.count == 1 }
            let begun = ContinuousClock.now
            var answered = 0
            while ContinuousClock.now - begun < .seconds(2) {
                if await feed.pulls.count > answered {
                    await feed.answer([], through: 0)
                    answered += 1
                }
                try await Task.sleep(for: .milliseconds(2))
            }
            // Each 400 ms, not each 50.
            #expect(answered <= Int((ContinuousClock.now - begun) / .milliseconds(400)) + 2)
        }
    }

    @Test("what comes live while a page is waited for comes once and in order, and then live again")
    func heardAgain() async throws {
        try await withFollowedFeed { feed in
            // Far longer than a busy machine keeps beacons waiting: a second loss would ask for another page.
            await feed.follow(patience: 3_000)
            let endpoint = try await Self.free(feed)
            try await feed.subscribe(to: endpoint)
            try await feed.until { $0.has("lost") && $0.pulls.count == 1 }
            // The port opens. Nobody has told the follower, and the pull goes on waiting.
            #expect(try await feed.publish(at: endpoint) == endpoint)
            try await feed.until { $0.silence < 100 }
            for rev in 1...3 as ClosedRange<UInt64> { try await feed.change(rev) }
            #expect(await !feed.has("resumed 0 replayed 0"))
            await feed.answer([1, 2], through: 2)
            try await feed.until { $0.has("added 3") }
            try await feed.change(4)
            try await feed.until { $0.has("added 4") }
            let told = await feed.told.filter { $0.hasPrefix("added") || $0.hasPrefix("resumed") }
            #expect(told.filter { $0.hasPrefix("added") } == (1...4).map { "added \($0)" })
            #expect(told.contains { $0.hasPrefix("resumed") })
        }
    }

    @Test("a port that accepts and says nothing, one where nothing listens, and one that was heard")
    func causes() async throws {
        let silent = try SilentPort()
        let mute = FeedLoss(endpoint: silent.endpoint, cause: .mute)
        var losses: [FeedLoss] = []
        for patience in Self.patiences where losses != [mute] {
            try await withFollowedFeed { feed in
                await feed.follow(patience: patience)
                try await feed.subscribe(to: silent.endpoint)
                try await feed.until { $0.has("lost") }
                losses = await feed.losses
                guard losses == [mute] else { return }
                let endpoint = try await feed.publish()
                try await feed.subscribe(to: endpoint)
                try await feed.until { feed in
                    feed.answer([], through: 0)
                    return feed.told.last == "resumed 0 replayed 0"
                }
                await feed.silencePublisher()
                try await feed.until { $0.losses.count >= 2 }
                #expect(await feed.losses.last == FeedLoss(endpoint: endpoint, cause: .silent))
            }
        }
        #expect(losses == [mute])
    }

    /// A loss is told once, with what is known by then: on a busy machine libzmq's thread may need longer than the
    /// first of these for its handshake.
    private static let patiences: [UInt64] = [2_000, 6_000, 18_000]

    @Test("a publisher with another key, one that asks for a key, and one that refuses this key")
    func keys() async throws {
        let own = try CurveKeyPair.generate()
        let other = try CurveKeyPair.generate()
        func cause(_ security: SocketSecurity?, named: CurveKey?) async throws -> FeedLoss.Cause? {
            var cause: FeedLoss.Cause?
            for patience in Self.patiences where cause == nil || cause == .unreachable || cause == .mute {
                try await withFollowedFeed { feed in
                    await feed.follow(patience: 2 * patience)
                    try await feed.refuseAllKeys()
                    try await feed.subscribe(to: try await feed.publish(security: security), key: named)
                    try await feed.until { $0.has("lost") }
                    cause = await feed.losses.first?.cause
                }
            }
            return cause
        }
        let server = SocketSecurity.curveServer(secretKey: own.secretKey, domain: "feed")
        #expect(try await cause(server, named: other.publicKey) == .otherKey)
        #expect(try await cause(nil, named: other.publicKey) == .otherKey)
        #expect(try await cause(server, named: nil) == .keyNeeded)
        #expect(try await cause(server, named: own.publicKey) == .keyRefused)
    }
}

/// A TCP port that accepts connections and never says anything.
private final class SilentPort {
    private let descriptor: Int32
    let endpoint: String

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(isBound)
        endpoint = "tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    }

    deinit { close(descriptor) }
}
