// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkTransport

@Suite("An actor that makes the requests of its followers", .inShortTurn)
struct FeedReaderTests {
    /// Answers when the test says so.
    private actor Reader: FeedReader {
        private let loop = EventLoop.forTest("reader")
        private let context: Context
        private var followers: [FeedFollower] = []
        private var publisher: FeedPublisher?
        private var answers: [CheckedContinuation<Result<PulledPage, ServiceError>, Never>] = []
        private(set) var events: [String] = []
        private(set) var asked: [Position] = []
        private(set) var searches = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init() throws { context = try Context() }

        func readLog(
            after position: Position, matching: FeedFilter, wait: UInt32
        ) async throws(ServiceError) -> PulledPage {
            asked.append(position)
            return try await withCheckedContinuation { answers.append($0) }.get()
        }

        func findPublisher() async throws(ServiceError) -> FeedAddress {
            searches += 1
            return FeedAddress(try publish())
        }

        private func publish() throws(ServiceError) -> String {
            publisher?.close()
            do {
                let publisher = try FeedPublisher(
                    loop: loop, context: context, endpoint: "tcp://127.0.0.1:*",
                    numbering: FeedNumbering(epoch: FollowedFeed.epoch, run: FollowedFeed.run, head: 1, floor: 1),
                    beacon: .milliseconds(5))
                self.publisher = publisher
                return publisher.endpoint
            } catch {
                throw ServiceError(.unavailable, "\(error)")
            }
        }

        /// - Parameter patience: milliseconds without a message until the publisher counts as away.
        func follow(isFixed: Bool = false, patience: UInt64 = 3_600_000) throws {
            var timing = FeedFollower.Timing()
            (timing.patience, timing.look, timing.locatePause) = (patience, 20, 10)
            let number = followers.count
            let follower = follower(
                loop: loop, context: context, from: Position(epoch: FollowedFeed.epoch, rev: 0, run: nil),
                timing: timing, isFixed: isFixed,
                tell: { [weak self] event in self?.assumeIsolated { $0.events.append("\(number) \(event)") } })
            followers.append(follower)
            try follower.subscribe(to: FeedAddress("tcp://127.0.0.1:1"))
            follower.poll()
        }

        func answer(_ result: Result<PulledPage, ServiceError>) {
            if !answers.isEmpty { answers.removeFirst().resume(returning: result) }
        }

        func closeFollower(_ number: Int) { followers[number].close() }
        func has(_ text: String) -> Bool { events.contains { $0.contains(text) } }

        func until(
            sourceLocation: SourceLocation = #_sourceLocation, _ condition: @Sendable (isolated Reader) -> Bool
        ) async throws {
            try await TestTurns.until(
                "this is so, after \(events) \(asked) \(searches)", sourceLocation: sourceLocation
            ) { condition(self) }
        }

        func close() async {
            for follower in followers { follower.close() }
            while !answers.isEmpty { answer(.failure(ServiceError(.unavailable, "Over."))) }
            publisher?.close()
            (followers, publisher) = ([], nil)
            context.shutdown()
            await loop.stop()
        }
    }

    private func withReader(_ body: (Reader) async throws -> Void) async throws {
        let reader = try Reader()
        do {
            try await body(reader)
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }

    @Test("a page goes to the follower that asked for it, and to none that was closed meanwhile")
    func pages() async throws {
        try await withReader { reader in
            try await reader.follow()
            try await reader.follow()
            try await reader.until { $0.asked.count == 2 }
            await reader.closeFollower(0)
            let page = try FollowedFeed.page([1], through: 1)
            await reader.answer(.success(page))
            await reader.answer(.success(page))
            try await reader.until { $0.has("1 change") && $0.has("1 reached(rev: 1)") }
            #expect(await !reader.has("0 "))
        }
    }

    @Test("a refusal reaches the follower")
    func refused() async throws {
        try await withReader { reader in
            try await reader.follow()
            try await reader.until { $0.asked.count == 1 }
            await reader.answer(.failure(ServiceError(.compacted, "Gone.")))
            try await reader.until { $0.has("0 ended") }
        }
    }

    @Test("while nothing is heard the service is asked where changes are published, unless that is fixed")
    func locates() async throws {
        try await withReader { reader in
            let page = try FollowedFeed.page([1], through: 1)
            try await reader.follow(isFixed: true, patience: 200)
            // It is lost, reads the log again and again, and never asks.
            try await reader.until { reader in
                reader.answer(.success(page))
                return reader.has("0 lost") && reader.asked.count > 3
            }
            #expect(await reader.searches == 0)
            await reader.closeFollower(0)
            try await reader.follow(patience: 200)
            try await reader.until { reader in
                reader.answer(.success(page))
                return reader.searches > 0 && reader.has("1 resumed")
            }
        }
    }
}
