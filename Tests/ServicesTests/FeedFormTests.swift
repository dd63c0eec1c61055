// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Logging
import QueryService
import StorageService
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Feeds of releases that publish in different forms", .inTurn, .timeLimit(.minutes(20)))
struct FeedFormTests {
    private static func storage(_ pair: Pair, _ forms: [FeedTopic.Form]) async throws -> StorageServer {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var options = StorageOptions(
            directory: pair.directory.path + "/data", listen: pair.storageEndpoint, changes: pair.changesEndpoint,
            beacon: .milliseconds(200))
        try options.useTestedEngine(pair.directory.path)
        options.feedForms = forms
        let storage = try StorageServer(options, context: pair.context, logger: logger)
        _ = try await storage.start()
        return storage
    }

    @Test("storage is replaced by an earlier release, and that by a later one: every change comes once and in order")
    func replaced() async throws {
        let pair = try await Pair(.ipc, onDisk: true)
        let client = try await pair.client(timeout: .seconds(60))
        #expect(try await client.hello().feedForm == .batched)
        var feed = client.changes(since: .now).makeAsyncIterator()
        // The feed has begun.
        let first = Task {
            while !Task.isCancelled {
                _ = try await client.add(WriteTests.draft("first"))
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
        var last = try #require(try await feed.next()).position.rev
        first.cancel()
        _ = try? await first.value
        await pair.storage.stop()
        var present: StorageServer?
        for forms in [[.single], [.single, .batched]] as [[FeedTopic.Form]] {
            await present?.stop()
            present = try await Self.storage(pair, forms)
            for number in 1...3 { _ = try await client.add(WriteTests.draft("\(forms.count) \(number)")) }
            let head = try await client.status().storage.head
            while last < head {
                let change = try #require(try await feed.next())
                #expect(change.position.rev == last + 1)
                last = change.position.rev
            }
            let places = try await client.near(Coordinate(latitude: -33, longitude: 151), limit: 200)
            #expect(places.hits.contains { $0.landmark.name == "\(forms.count) 3" })
            #expect(try await client.hello().feedForm == forms.last)
        }
        await client.close()
        await pair.query.stop()
        await present?.stop()
        pair.context.terminate()
    }

    /// The revisions of the changes in a message; nil for a beacon.
    private static func revisions(_ frames: [[UInt8]], _ topic: FeedTopic) throws -> [UInt64]? {
        switch topic.form {
        case .single:
            try #require(frames[0] == topic.bytes)
            return frames.count == 3 ? [try WireChange(serializedBytes: frames[2]).rev] : nil
        case .batched:
            try #require(frames.count == 1 && frames[0].starts(with: topic.bytes))
            let batch = try WireFeedBatch(serializedBytes: Array(frames[0].dropFirst(topic.bytes.count)))
            return batch.changes.isEmpty ? nil : batch.changes.map(\.rev)
        }
    }

    private static func take(_ count: Int, of peer: RawPeer, _ topic: FeedTopic) async throws -> [UInt64] {
        var revs: [UInt64] = []
        while revs.count < count { revs += try revisions(try await peer.receive(), topic) ?? [] }
        return revs
    }

    @Test("subscribers of both forms of one topic get the same changes; the end of one leaves the other alone")
    func both() async throws {
        try await withPair(.ipc) { pair, client in
            let filter = FeedFilter(users: ["armando"])
            let topics = FeedTopic.Form.allCases.map { FeedTopic(carrying: filter, $0) }
            let peers = [RawPeer(), RawPeer()]
            for (peer, topic) in zip(peers, topics) {
                try await peer.open(pair.changesEndpoint, context: pair.context, as: .xsub)
                try await peer.send([[1] + topic.bytes])
                #expect(try Self.revisions(try await peer.receive(), topic) == nil)
            }
            for number in 0..<20 { _ = try await client.add(WriteTests.draft("\(number)")) }
            for (peer, topic) in zip(peers, topics) {
                #expect(try await Self.take(20, of: peer, topic) == Array(1...20))
            }
            try await peers[0].send([[0] + topics[0].bytes])
            for number in 20..<25 { _ = try await client.add(WriteTests.draft("\(number)")) }
            #expect(try await Self.take(5, of: peers[1], topics[1]) == Array(21...25))
            for peer in peers { await peer.close() }
        }
    }
}
