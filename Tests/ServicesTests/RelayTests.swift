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

@Suite("Feeds of relays, through real sockets", .inTurn)
struct RelayTests {
    /// The changes of a feed after `start`, through `last`.
    static func revisions(
        _ client: WaymarkClient, after start: Position, through last: UInt64, _ filter: FeedFilter = .everything
    ) async throws -> [UInt64] {
        var revs: [UInt64] = []
        for try await item in client.feed(since: .after(start), matching: filter) {
            switch item {
            case .change(let told):
                #expect(told.position.rev > revs.last ?? start.rev)
                revs.append(told.position.rev)
                if told.position.rev >= last { return revs }
            case .reached(let position) where position.rev >= last: return revs
            default: break
            }
        }
        return revs
    }

    private static func beginning(_ client: WaymarkClient) async throws -> Position {
        var position = try await client.hello().position
        position.rev = 0
        return position
    }

    @Test("everything comes once and in order, whole and filtered, and storage serves the relays alone")
    func everything() async throws {
        try await withRelays { stage in
            try await stage.startRelay(2, behind: 0)
            let writer = try await stage.client(of: nil)
            let start = try await Self.beginning(writer)
            let circle = try FilteredFeedTests.circle()
            var whole: [Task<[UInt64], any Error>] = []
            var parts: [Task<[String], any Error>] = []
            for number in 0..<9 {
                let client = try await stage.client(of: number % 3)
                #expect(try await client.hello().changesEndpoint == stage.endpoint("r\(number % 3)"))
                whole.append(Task { try await Self.revisions(client, after: start, through: 61) })
                parts.append(
                    Task {
                        try await FilteredFeedTests.told(
                            client.changes(since: .after(start), matching: circle), until: "added end")
                    })
            }
            for number in 0..<60 {
                _ = try await writer.add(FilteredFeedTests.draft("\(number)", number % 3 == 0 ? 0.01 : 20))
            }
            _ = try await writer.add(FilteredFeedTests.draft("end", 0))
            for task in whole { #expect(try await task.value == Array(1...61)) }
            let expected = (0..<20).map { "added \(3 * $0)" } + ["added end"]
            for task in parts { #expect(try await task.value == expected) }
            // Two relays and nobody else: the third one follows the first one. After a reconnection one counts again.
            let storage = try await storageStatus(stage.client(of: 0))
            #expect((2..<9).contains(HostileTests.counter("feed_subscriptions", storage.counters)))
            #expect(HostileTests.counter("feed_topics", storage.counters) == 1)
            #expect(try await stage.counter("relay_feed_subscriptions", of: 0) >= 7)
        }
    }

    @Test("storage is restarted: nothing is lost or repeated, and only the relays ask it what was missed")
    func storageRestarts() async throws {
        try await withRelays { stage in
            var writer = try await stage.client(of: nil)
            let start = try await Self.beginning(writer)
            var readers: [Task<[UInt64], any Error>] = []
            for number in 0..<10 {
                let client = try await stage.client(of: number % 2)
                readers.append(Task { try await Self.revisions(client, after: start, through: 12) })
            }
            for round in 0..<3 {
                for number in 0..<4 { _ = try await writer.add(WriteTests.draft("\(round) \(number)")) }
                guard round < 2 else { break }
                await stage.stopStorage()
                // Away for a moment.
                try await Task.sleep(for: .milliseconds(200))
                try await stage.startStorage()
                writer = try await stage.client(of: nil)
            }
            for reader in readers { #expect(try await reader.value == Array(1...12)) }
            for relay in 0..<2 {
                // Each subscriber asks at each new run. None of these questions reached storage, but those with which
                // the followers began, before the relays knew their first position.
                #expect(try await stage.counter("relay_stretches", of: relay) == 1)
                #expect(try await stage.counter("relay_passed_on", of: relay) == 0)
            }
        }
    }

    @Test("a relay is restarted under its subscribers while others write: nothing is lost or repeated")
    func relayRestarts() async throws {
        try await withRelays { stage in
            let writer = try await stage.client(of: nil)
            let start = try await Self.beginning(writer)
            var readers: [Task<[UInt64], any Error>] = []
            let everyTenth = FeedFilter(kinds: ["tenth"])
            for number in 0..<10 {
                let client = try await stage.client(of: 0)
                let filter = number % 2 == 0 ? FeedFilter.everything : everyTenth
                readers.append(Task { try await Self.revisions(client, after: start, through: 400, filter) })
            }
            let written = Locked(0)
            let writing = Task {
                for number in 1...400 {
                    _ = try await writer.add(
                        FilteredFeedTests.draft("\(number)", 1, kind: number % 10 == 0 ? "tenth" : "other"))
                    written.withLock { $0 = number }
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            for round in 1...3 {
                try await until { written.withLock { $0 } >= round * 80 }
                await stage.stopRelay(0)
                try await until { written.withLock { $0 } >= round * 80 + 10 }
                try await stage.startRelay(0)
            }
            try await writing.value
            // It has read what was before its last start.
            try await until { try await stage.counter("relay_kept_changes", of: 0) == 400 }
            for (number, reader) in readers.enumerated() {
                let expected = (1...400).filter { number % 2 == 0 || $0 % 10 == 0 }.map { UInt64($0) }
                #expect(try await reader.value == expected)
            }
        }
    }

    @Test("subscribers that come back at random revisions, to any relay, go on exactly there")
    func resumes() async throws {
        try await withRelays(bytes: 5_000) { stage in
            let writer = try await stage.client(of: nil)
            var position = try await Self.beginning(writer)
            let clients = [try await stage.client(of: 0), try await stage.client(of: 1)]
            for number in 0..<100 { _ = try await writer.add(WriteTests.draft("\(number)")) }
            let writing = Task {
                for number in 100..<600 {
                    _ = try await writer.add(WriteTests.draft("\(number)"))
                    try await Task.sleep(for: .milliseconds(3))
                }
            }
            var random = SplitMix64(seed: 7)
            var revs: [UInt64] = []
            var visits = 0
            while position.rev < 600 {
                let most = Int(1 + random.next() % 12)
                var taken = 0
                for try await change in clients[Int(random.next() % 2)].changes(since: .after(position)) {
                    revs.append(change.position.rev)
                    position = change.position
                    taken += 1
                    if taken == most || position.rev == 600 { break }
                }
                visits += 1
            }
            try await writing.value
            #expect(revs == Array(1...600))
            #expect(visits > 50)
            let byRelays = try await stage.counter("relay_answered", of: 0) + stage.counter("relay_answered", of: 1)
            let byStorage = try await stage.counter("relay_passed_on", of: 0) + stage.counter("relay_passed_on", of: 1)
            // The log is longer than what the relays keep, so both must have answered.
            #expect(byRelays > 0 && byStorage > 0)
        }
    }

    @Test("changes are answered from memory, and contain what this service has seen acknowledged")
    func ownWrites() async throws {
        try await withRelays { stage in
            let client = try await stage.client(of: 0)
            var position = try await client.hello().position
            for number in 0..<50 {
                let written = try await client.add(WriteTests.draft("\(number)"))
                let page = try await client.changes(after: position)
                #expect(page.changes.map(\.position.rev) == [written.rev])
                position = page.through
            }
            // More where a busy machine has sent some again.
            #expect(try await stage.counter("relay_answered", of: 0) >= 50)
            #expect(try await stage.counter("relay_passed_on", of: 0) == 0)
        }
    }

    @Test("while storage is away a relay is silent: its subscribers are told, and told again when it is back")
    func away() async throws {
        try await withRelays { stage in
            let client = try await stage.client(of: 0)
            let writer = try await stage.client(of: nil)
            _ = try await writer.add(WriteTests.draft("before"))
            let start = try await Self.beginning(client)
            let told = Locked<[String]>([])
            let following = Task {
                for try await item in client.feed(since: .after(start)) {
                    switch item {
                    case .change(let change): told.withLock { $0.append(change.change.landmark.name) }
                    case .lost: told.withLock { $0.append("lost") }
                    case .resumed: told.withLock { $0.append("resumed") }
                    default: break
                    }
                    if told.withLock({ $0.last }) == "after" { break }
                }
            }
            try await until { try await stage.counter("relay_feed_subscriptions", of: 0) >= 1 }
            try await until { told.withLock { $0.first } == "before" }
            await stage.stopStorage()
            try await until {
                try await client.status().query?.remarks.contains { $0.contains("The relay is silent") } == true
            }
            try await until { told.withLock { $0.contains("lost") } }
            try await stage.startStorage()
            _ = try await stage.client(of: nil).add(WriteTests.draft("after"))
            try await following.value
            let heard = told.withLock { $0 }
            #expect(heard.first == "before" && heard.dropFirst().first == "lost" && heard.last == "after")
            #expect(heard.count { $0 == "before" || $0 == "after" } == 2)
        }
    }
}
