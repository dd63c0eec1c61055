// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import QueryService
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

/// Behind one address a client's requests go to one relay, and its feed comes from another. One of the two is held behind.
@Suite("Requests to one relay, the feed of another", .inTurn)
struct TwoRelaysTests {
    enum Held: CaseIterable, Sendable { case followed, asked, both }

    private actor Heard {
        private(set) var revs: [UInt64] = []
        private(set) var failure: String?
        func add(_ rev: UInt64) { revs.append(rev) }
        func ended(_ error: any Error) { failure = "\(error)" }
    }

    private static func follow(_ client: WaymarkClient, after start: Position) -> (
        heard: Heard, task: Task<Void, Never>
    ) {
        let heard = Heard()
        let task = Task {
            do {
                for try await change in client.changes(since: .after(start)) { await heard.add(change.position.rev) }
            } catch {
                await heard.ended(error)
            }
        }
        return (heard, task)
    }

    private static func questions(_ stage: RelayStage, _ relay: Int) async throws -> UInt64 {
        try await stage.counter("relay_answered", of: relay) + stage.counter("relay_passed_on", of: relay)
    }

    /// How often the log may be asked in that time: every quarter of a second, and some more at the beginning.
    private static func most(_ time: Duration) -> UInt64 { UInt64(time.components.seconds + 1) * 4 + 8 }

    /// Runs `body` with storage, relay 0 on it, and relay 1 whose feed comes through a proxy. Each relay names the feed of
    /// the one that is followed.
    private func withTwo(
        _ held: Held, _ body: (RelayStage, TCPProxy, _ asked: Int, _ writer: WaymarkClient) async throws -> Void
    ) async throws {
        let port = try Ports.free()
        let proxy = try TCPProxy(port: try Ports.free(), to: port)
        let stage = try RelayStage(changes: "tcp://127.0.0.1:\(port)")
        do {
            try await stage.startStorage()
            let followed = held == .asked ? 0 : 1
            try await stage.startRelay(0, naming: followed)
            try await stage.startRelay(1, changes: proxy.endpoint, naming: followed)
            try await body(stage, proxy, held == .followed ? 0 : 1, try await stage.client(of: nil))
        } catch {
            proxy.close()
            await stage.stop()
            throw error
        }
        await stage.stop()
        proxy.close()
    }

    private func write(_ count: Int, _ writer: WaymarkClient) async throws -> Position {
        var position = try await writer.hello().position
        for number in 0..<count { position.rev = try await writer.add(WriteTests.draft("\(number)")).rev }
        return position
    }

    private func reached(_ rev: UInt64, _ relays: [Int], _ stage: RelayStage) async throws {
        for relay in relays {
            let client = try await stage.client(of: relay)
            try await until { try await client.hello().position.rev >= rev }
        }
    }

    @Test(
        "whichever is behind: nothing is lost, repeated or refused, and the log is not asked again and again",
        arguments: Held.allCases)
    func behind(_ held: Held) async throws {
        try await withTwo(held) { stage, proxy, asked, writer in
            let early = try await write(5, writer)
            try await reached(5, [0, 1], stage)
            proxy.freeze(true)
            let late = try await write(20, writer)
            try await reached(25, [0], stage)
            let client = try await stage.client(of: asked)
            #expect(try await client.hello().changesEndpoint == stage.endpoint(held == .asked ? "r0" : "r1"))
            let before = try await Self.questions(stage, asked)
            // From before what the held one has, and from after it.
            let begun = ContinuousClock.now
            let all = [Self.follow(client, after: early), Self.follow(client, after: late)]
            for number in 0..<100 {
                _ = try await writer.add(WriteTests.draft("\(number)"))
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await Self.questions(stage, asked) - before <= 2 * Self.most(.now - begun))
            proxy.freeze(false)
            _ = try await write(5, writer)
            for (one, first) in zip(all, [6, 26] as [UInt64]) {
                try await until { await one.heard.revs.last == 130 }
                #expect(await one.heard.revs == Array(first...130))
                #expect(await one.heard.failure == nil)
                one.task.cancel()
            }
        }
    }

    @Test("the one that is asked has not noticed that storage was restarted: nothing is lost or repeated")
    func earlierRun() async throws {
        try await withTwo(.asked) { stage, proxy, asked, writer in
            let start = try await write(5, writer)
            try await reached(5, [0, 1], stage)
            let client = try await stage.client(of: asked)
            let all = Self.follow(client, after: start)
            _ = try await write(1, writer)
            try await until { await all.heard.revs == [6] }
            proxy.freeze(true)
            await stage.stopStorage()
            try await stage.startStorage()
            let again = try await stage.client(of: nil)
            let run = try await again.hello().position.run
            let other = try await stage.client(of: 0)
            try await until { try await other.hello().position.run == run }
            for number in 0..<100 { _ = try await again.add(WriteTests.draft("\(number)")) }
            proxy.freeze(false)
            try await until { await all.heard.revs.last == 106 }
            #expect(await all.heard.revs == Array(6...106))
            #expect(await all.heard.failure == nil)
            all.task.cancel()
        }
    }
}

extension ContinuousClock.Instant {
    fileprivate static var now: ContinuousClock.Instant { ContinuousClock.now }
}
