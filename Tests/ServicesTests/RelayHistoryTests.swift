// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import QueryService
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Relays on histories that are cut, put back or restored", .inTurn)
struct RelayHistoryTests {
    /// - Parameter told: gets each revision as it comes.
    private static func follow(
        _ client: WaymarkClient, after start: Position, told: Locked<[UInt64]> = Locked([])
    ) -> Task<String, Never> {
        Task {
            do {
                for try await change in client.changes(since: .after(start)) {
                    told.withLock { $0.append(change.position.rev) }
                }
                return "ended"
            } catch ClientError.refused(let error) {
                return "\(told.withLock { $0 }) \(error.code.name)"
            } catch {
                return "\(error)"
            }
        }
    }

    /// Writes, and waits until the relay has published it.
    private static func write(_ count: Int, _ stage: RelayStage) async throws -> Position {
        let writer = try await stage.client(of: nil)
        var rev: UInt64 = 0
        for number in 0..<count { rev = try await writer.add(WriteTests.draft("\(number)")).rev }
        let reader = try await stage.client(of: 0)
        try await until { try await reader.hello().position.rev == rev }
        return try await reader.hello().position
    }

    @Test(
        "compacted past a subscriber: what the relay keeps it still gives, what it does not is refused with the floor")
    func compacted() async throws {
        try await withRelays(bytes: 5_000) { stage in
            let end = try await Self.write(200, stage)
            let client = try await stage.client(of: 0)
            _ = try await client.compact(below: 0)
            let position = { (rev: UInt64) in Position(epoch: end.epoch, rev: rev, run: end.run) }
            let kept = try await stage.counter("relay_kept_changes", of: 0)
            #expect(kept > 5 && kept < 100)
            let page = try await client.changes(after: position(200 - kept))
            #expect(page.changes.map(\.position.rev) == Array(200 - kept + 1...200))
            #expect(try await WriteTests.refusal { _ = try await client.changes(after: position(10)) } == .compacted)
            #expect(await Self.follow(client, after: position(10)).value == "[] compacted")
        }
    }

    @Test("another database: its subscribers are told, and the relay publishes the new history")
    func anotherDatabase() async throws {
        try await withRelays { stage in
            let end = try await Self.write(5, stage)
            var beginning = end
            beginning.rev = 0
            let client = try await stage.client(of: 0)
            let told = Locked<[UInt64]>([])
            let following = Self.follow(client, after: beginning, told: told)
            try await until { told.withLock { $0.count } == 5 }
            await stage.stopStorage()
            try FileManager.default.removeItem(atPath: stage.data)
            try await stage.startStorage()
            #expect(await following.value == "[1, 2, 3, 4, 5] epoch_changed")
            try await until { (try? await client.hello().position.epoch).map { $0 != end.epoch } ?? false }
            let writer = try await stage.client(of: nil)
            let start = try await writer.hello().position
            let reading = Task { try await RelayTests.revisions(client, after: start, through: 5) }
            for number in 0..<5 { _ = try await writer.add(WriteTests.draft("\(number)")) }
            #expect(try await reading.value == Array(1...5))
            #expect(try await stage.counter("relay_stretches", of: 0) == 2)
        }
    }

    @Test("an older copy of the database is put back by hand: no subscriber mixes the two histories")
    func olderCopy() async throws {
        try await withRelays { stage in
            let early = try await Self.write(5, stage)
            await stage.stopStorage()
            let copy = stage.directory.path + "/copy"
            try FileManager.default.copyItem(atPath: stage.data, toPath: copy)
            try await stage.startStorage()
            let late = try await Self.write(5, stage)
            #expect(late.rev == 10)
            let client = try await stage.client(of: 0)
            let told = Locked<[UInt64]>([])
            let following = Self.follow(client, after: early, told: told)
            try await until { told.withLock { $0.count } == 5 }
            await stage.stopStorage()
            try FileManager.default.removeItem(atPath: stage.data)
            try FileManager.default.moveItem(atPath: copy, toPath: stage.data)
            try await stage.startStorage()
            // The copy gets other changes under the same numbers, and more of them.
            let writer = try await stage.client(of: nil)
            for number in 0..<8 { _ = try await writer.add(WriteTests.draft("other \(number)")) }
            #expect(await following.value == "[6, 7, 8, 9, 10] epoch_changed")
            try await until { (try? await client.hello().position.rev) == 13 }
            #expect(try await WriteTests.refusal { _ = try await client.changes(after: late) } == .epochChanged)
            #expect(try await client.changes(after: early).through.rev == 13)
        }
    }

    @Test("the same revision comes again in another history, and is published although it was published before")
    func sameRevision() async throws {
        try await withRelays { stage in
            _ = try await Self.write(5, stage)
            await stage.stopStorage()
            let copy = stage.directory.path + "/copy"
            try FileManager.default.copyItem(atPath: stage.data, toPath: copy)
            try await stage.startStorage()
            let late = try await Self.write(1, stage)
            #expect(late.rev == 6)
            await stage.stopStorage()
            try FileManager.default.removeItem(atPath: stage.data)
            try FileManager.default.moveItem(atPath: copy, toPath: stage.data)
            try await stage.startStorage()
            let client = try await stage.client(of: 0)
            try await until { (try? await client.hello().position.rev) == 5 }
            let start = try await client.hello().position
            let told = Locked<[UInt64]>([])
            let reading = Self.follow(client, after: start, told: told)
            defer { reading.cancel() }
            // The subscriber has had its first beacon and has read the log before the first change, so it relies on the
            // feed for both. What the relay has known of the history before must not keep the log from it.
            try await until { try await stage.counter("relay_feed_subscriptions", of: 0) >= 1 }
            try await until { try await stage.counter("relay_answered", of: 0) >= 1 }
            // Nothing tells that the answer has come.
            try await Task.sleep(for: .milliseconds(500))
            let writer = try await stage.client(of: nil)
            for (rev, name) in [(6, "another sixth"), (7, "another seventh")] as [(UInt64, String)] {
                _ = try await writer.add(WriteTests.draft(name))
                try await until("revision \(rev) has come") { told.withLock { $0.last } == rev }
            }
            #expect(told.withLock(\.self) == [6, 7])
        }
    }

    @Test(
        "its messages bear storage's run and epoch, and numbers of its own: other ones after each start, on each feed")
    func numbers() async throws {
        try await withRelays { stage in
            let end = try await Self.write(3, stage)
            let kinds = FeedTopic(carrying: FeedFilter(kinds: ["beach"]))
            var firsts: Set<UInt64> = []
            for round in 0..<2 {
                for topic in [FeedTopic.everything, kinds] {
                    let peer = RawPeer()
                    try await peer.open(stage.endpoint("r0"), context: stage.context, as: .xsub)
                    try await peer.send([[1] + topic.bytes])
                    let frames = try await peer.receive()
                    await peer.close()
                    let frame = try #require(frames.first)
                    let header = try #require(
                        frame.dropFirst(topic.bytes.count).withUnsafeBytes { FeedHeader(encoded: $0) })
                    #expect(header.epoch == end.epoch && header.run == end.run && header.rev == 3)
                    #expect(header.n >= 1 << 40)
                    firsts.insert(header.n)
                }
                guard round == 0 else { break }
                await stage.stopRelay(0)
                try await stage.startRelay(0)
            }
            #expect(firsts.count == 2)
        }
    }
}
