// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Feeds of a part of the world, through both services", .inTurn)
struct FilteredFeedTests {
    static func draft(_ name: String, _ longitude: Double, kind: String = "") throws -> LandmarkDraft {
        try LandmarkDraft(name: name, coordinate: try Coordinate(latitude: 0, longitude: longitude), kind: kind)
    }

    static func here(_ longitude: Double) throws -> LandmarkEdit {
        try LandmarkEdit(coordinate: try Coordinate(latitude: 0, longitude: longitude))
    }

    static func circle() throws -> FeedFilter {
        FeedFilter(area: try .circle(at: try Coordinate(latitude: 0, longitude: 0), radius: 10_000))
    }

    /// The changes of a feed up to `last`, as text.
    static func told(_ feed: ChangeSequence, until last: String) async throws -> [String] {
        var told: [String] = []
        for try await change in feed {
            told.append("\(change.operation) \(change.change.landmark.name)")
            if told.last == last { break }
        }
        return told
    }

    @Test("entered and left, live and from the log alike", arguments: Transport.allCases)
    func entersAndLeaves(transport: Transport) async throws {
        try await withPair(transport) { pair, client in
            let start = try await client.hello().position
            let live = Task { try await Self.told(client.changes(matching: try Self.circle()), until: "added end") }
            // The live feed has begun when storage counts its subscription.
            try await Self.topics(client, become: 2)
            let inside = try await client.add(Self.draft("a", 0.01))
            let outside = try await client.add(Self.draft("b", 1))
            _ = try await client.edit(inside.id, Self.here(0.02))
            _ = try await client.edit(inside.id, Self.here(2))
            _ = try await client.edit(inside.id, Self.here(3))
            _ = try await client.edit(outside.id, Self.here(0.03))
            _ = try await client.addNote(to: outside.id, "here now")
            _ = try await client.addNote(to: inside.id, "far away")
            for id in [outside.id, inside.id] {
                _ = try await client.remove(id)
                _ = try await client.restore(id)
            }
            _ = try await client.add(Self.draft("end", 0))
            let expected = [
                "added a", "changed a", "left a", "entered b", "noted b", "removed b", "added b", "added end",
            ]
            #expect(try await live.value == expected)
            let log = client.changes(since: .after(start), matching: try Self.circle())
            #expect(try await Self.told(log, until: "added end") == expected)
        }
    }

    /// Waits until the count of topics has this value.
    private static func topics(
        _ client: WaymarkClient, become count: UInt64, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await until("there are \(count) topics", sourceLocation: sourceLocation) {
            HostileTests.counter("feed_topics", try await storageStatus(client).counters) == count
        }
    }

    @Test("the count of topics rises and falls with their subscribers")
    func topics() async throws {
        try await withPair(.tcp) { pair, client in
            for _ in 0..<2 {
                let feed = Task { try await Self.told(client.changes(matching: try Self.circle()), until: "never") }
                try await Self.topics(client, become: 2)
                feed.cancel()
                _ = try? await feed.value
                try await Self.topics(client, become: 1)
            }
        }
    }

    @Test("a filter too long for a topic is evaluated by the client, and misses nothing")
    func longFilter() async throws {
        try await withPair(.tcp) { pair, client in
            let start = try await client.hello().position
            var ids: [Landmark.ID] = []
            for index in 0..<40 { ids.append(try await client.add(Self.draft("\(index)", 0)).id) }
            let filter = FeedFilter(ids: Set(ids.prefix(30)), operations: [.noted])
            let live = Task { try await Self.told(client.changes(matching: filter), until: "noted 29") }
            // A subscription after a reconnection counts too.
            try await until {
                HostileTests.counter("feed_subscriptions", try await storageStatus(client).counters) >= 2
            }
            for id in ids.reversed() { _ = try await client.addNote(to: id, "seen") }
            for index in 0..<30 { _ = try await client.edit(ids[index], try LandmarkEdit(name: "n\(index)")) }
            _ = try await client.addNote(to: ids[29], "again")
            let told = try await live.value
            #expect(told == ["noted 29"])
            let all = try await Self.told(
                client.changes(since: .after(start), matching: filter), until: "noted n29")
            #expect(all == (0..<30).reversed().map { "noted \($0)" } + ["noted n29"])
        }
    }

    @Test("eleven ids are too many for a topic: any number of other changes is filtered out")
    func manyOthers() async throws {
        try await withPair { pair, writer in
            let reader = try await pair.client(feedBounds: FeedBounds(most: 8, few: 2, bytes: 3_000))
            var ids: [Landmark.ID] = []
            for index in 0..<12 { ids.append(try await writer.add(Self.draft("\(index)", 0)).id) }
            // The reader's feed begins where the query service is, and that may be before the last of them.
            _ = try await writer.list(.byName, limit: 1)
            let filter = FeedFilter(ids: Set(ids.prefix(11)))
            #expect(!FeedTopic(carrying: filter).isExact(for: filter))
            var feed = reader.feed(matching: filter).makeAsyncIterator()
            guard case .reached? = try await feed.next() else {
                Issue.record("it begins with where it is")
                return await reader.close()
            }
            // Nothing is taken meanwhile: each of these changes becomes a mark that replaces the previous one.
            var round = 0
            while await reader.feedCounters.live < 150, round < 1_500 {
                round += 1
                _ = try await writer.edit(ids[11], Self.here(Double(round % 90)))
            }
            #expect(await reader.feedCounters.live >= 150)
            let rev = try await writer.edit(ids[3], Self.here(5)).rev
            let told = Locked<[UInt64]>([])
            let reading = Task {
                while let item = try await feed.next() {
                    if case .change(let change) = item { told.withLock { $0.append(change.position.rev) } }
                }
            }
            try await until("a change has come") { !told.withLock { $0.isEmpty } }
            #expect(told.withLock(\.self) == [rev])
            reading.cancel()
            await reader.close()
        }
    }

    @Test("a snapshot is the state at exactly one revision; the feed continues from there", arguments: [false, true])
    func snapshot(isFiltered: Bool) async throws {
        try await withPair(.tcp) { pair, client in
            let filter = isFiltered ? try Self.circle() : .everything
            var ids: [Landmark.ID] = []
            for index in 0..<300 { ids.append(try await client.add(Self.draft("\(index)", 0.01)).id) }
            let start = try await client.hello().position
            let landmarks = ids
            let isOver = Locked(false)
            let writer = Task {
                // As long as a feed waits for changes, and within a bound.
                for round in 0..<100_000 where !isOver.withLock(\.self) {
                    let id = landmarks[round * 7 % landmarks.count]
                    _ = try await client.edit(id, Self.here(round % 3 == 0 ? 5 : Double(round % 9) / 1_000))
                }
            }
            defer { writer.cancel() }
            for _ in 0..<5 {
                var state: [Landmark.ID: Landmark] = [:]
                var synced: Position?
                for try await item in client.feed(since: .snapshot, matching: filter) {
                    switch item {
                    case .landmark(let landmark, _): state[landmark.id] = landmark
                    case .synced(let position): synced = position
                    case .change(let told):
                        #expect(told.position.rev > synced?.rev ?? .max)
                        switch told.operation {
                        case .removed, .left: state[told.change.landmark.id] = nil
                        default: state[told.change.landmark.id] = told.change.landmark
                        }
                    default: break
                    }
                    guard let position = synced else { continue }
                    // The expected state, computed from the log alone.
                    if case .synced = item {
                        let expected = try await Self.replayed(client, through: position.rev, filter)
                        #expect(state == expected)
                    }
                    if case .change(let told) = item, told.position.rev > position.rev + 200 { break }
                }
                #expect((synced?.rev ?? 0) >= start.rev)
            }
            isOver.withLock { $0 = true }
            try await writer.value
        }
    }

    static func replayed(
        _ client: WaymarkClient, through rev: UInt64, _ filter: FeedFilter
    ) async throws -> [Landmark.ID: Landmark] {
        var state: [Landmark.ID: Landmark] = [:]
        var position = Position(epoch: try await client.hello().position.epoch, rev: 0)
        while position.rev < rev {
            let page = try await client.changes(after: position)
            for told in page.changes where told.position.rev <= rev {
                let landmark = told.change.landmark
                let matches = told.operation != .removed && filter.matches(FilterSubject(landmark))
                state[landmark.id] = matches ? landmark : nil
            }
            position = page.through
        }
        return state
    }

    @Test("a cancelled task ends its feed at any stage")
    func cancels() async throws {
        try await withPair(.tcp) { pair, client in
            for milliseconds in [0, 1, 5, 20, 60] {
                let reader = Task { () -> Int in
                    var count = 0
                    for try await _ in client.changes(since: .snapshot) { count += 1 }
                    return count
                }
                try await Task.sleep(for: .milliseconds(milliseconds))
                reader.cancel()
                #expect(try await reader.value == 0)
            }
        }
    }

    @Test("a topic that can never have messages is refused at hello")
    func illegalTopic() async throws {
        try await withPair { pair, client in
            let request = WireRequest.with { $0.hello = .with { $0.topic = .init([1, 2, 3]) } }
            let refusal = try await WriteTests.refusal { _ = try await client.send(request) }
            #expect(refusal == .invalid)
        }
    }
}
