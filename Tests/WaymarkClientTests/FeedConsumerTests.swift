// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkClient
@testable import WaymarkTransport

@Suite("One feed of the client", .inShortTurn)
struct FeedConsumerTests {
    /// A consumer on a follower of a feed without a publisher. A poll shows whether the follower is held.
    private actor Stage {
        private let loop = EventLoop.forTest("consumer")
        private let context: Context
        private(set) var consumer: FeedConsumer?
        private(set) var pulls = 0
        private(set) var taken: [UInt64?] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init() throws { context = try Context() }

        func open(_ bounds: FeedBounds) {
            let follower = FeedFollower(
                loop: loop, context: context, from: Items.at(0),
                hooks: FeedFollower.Hooks(
                    pull: { [weak self] _, _ in self?.assumeIsolated { $0.pulls += 1 } }, locate: nil, tell: { _ in }))
            consumer = FeedConsumer(follower: follower, bounds: bounds)
        }

        func put(_ item: FeedQueue.Item) { consumer?.put(item) }
        func ask() { consumer?.follower.poll() }

        func next() async {
            guard let consumer else { return }
            let item = await withCheckedContinuation { consumer.next($0) }
            taken.append(item.flatMap(Items.rev))
        }

        func close() { consumer?.close() }

        func end() async {
            consumer?.close()
            consumer = nil
            context.terminate()
            await loop.stop()
        }
    }

    private func with(_ bounds: FeedBounds, _ body: (Stage) async throws -> Void) async throws {
        let stage = try Stage()
        await stage.open(bounds)
        do { try await body(stage) } catch {
            await stage.end()
            throw error
        }
        await stage.end()
    }

    @Test("marks that are not taken never hold the follower")
    func marks() async throws {
        try await with(FeedBounds(most: 4, few: 2, bytes: 1_000)) { stage in
            for rev in 1...500 as ClosedRange<UInt64> { await stage.put(Items.mark(rev)) }
            await stage.ask()
            #expect(await stage.pulls == 1)
            await stage.next()
            #expect(await stage.taken == [500])
        }
    }

    @Test("a full queue holds its follower, and releases it when enough was taken")
    func holds() async throws {
        try await with(FeedBounds(most: 4, few: 2, bytes: 1_000_000)) { stage in
            for rev in 1...4 as ClosedRange<UInt64> { await stage.put(try Items.change(rev)) }
            await stage.ask()
            for _ in 0..<2 { await stage.next() }
            #expect(await stage.pulls == 0)
            await stage.next()
            // The loop releases the follower, as its reader may be on any thread.
            try await until { await stage.pulls == 1 }
            await stage.next()
            #expect(await stage.taken == [1, 2, 3, 4])
        }
    }

    @Test("a reader on another thread gets each item once and in order, while the loop puts them")
    func threads() async throws {
        try await with(FeedBounds(most: 4, few: 2, bytes: 1_000_000)) { stage in
            let consumer = try #require(await stage.consumer)
            async let read = Self.read(500, of: consumer)
            for rev in 1...500 as ClosedRange<UInt64> { await stage.put(try Items.change(rev)) }
            #expect(await read == Array(1...500))
        }
    }

    private static func read(_ count: Int, of consumer: FeedConsumer) async -> [UInt64] {
        var revs: [UInt64] = []
        while revs.count < count, let item = await withCheckedContinuation({ consumer.next($0) }) {
            if let rev = Items.rev(item) { revs.append(rev) }
        }
        return revs
    }

    @Test("a waiting caller gets the next item, and nil after a failure or the end")
    func waits() async throws {
        try await with(FeedBounds()) { stage in
            async let first: Void = stage.next()
            await stage.put(try Items.change(1))
            await first
            await stage.put(try Items.change(2))
            await stage.put(.failure(.closed))
            await stage.put(try Items.change(3))
            for _ in 0..<3 { await stage.next() }
            // The failure has no revision, and nothing follows it.
            #expect(await stage.taken == [1, 2, nil, nil])
        }
        try await with(FeedBounds()) { stage in
            async let waiting: Void = stage.next()
            await stage.put(try Items.change(1))
            await waiting
            await stage.close()
            await stage.next()
            #expect(await stage.taken == [1, nil])
        }
    }
}
