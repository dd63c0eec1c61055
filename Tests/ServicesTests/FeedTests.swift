// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Logging
import QueryService
import StorageService
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("The feed, through both services", .inTurn)
struct FeedTests {
    /// Takes `count` changes from a feed.
    static func take(_ count: Int, _ feed: FeedSequence) async throws -> [Change] {
        var changes: [Change] = []
        var iterator = feed.makeAsyncIterator()
        while changes.count < count, let item = try await iterator.next() {
            if case .change(let change) = item { changes.append(change.change) }
        }
        return changes
    }

    @Test("from the beginning and from now, every change once and in order", arguments: Transport.allCases)
    func follows(transport: Transport) async throws {
        try await withPair(transport) { pair, client in
            let welcome = try await client.hello()
            for index in 0..<50 { _ = try await client.add(WriteTests.draft("\(index)")) }
            let all = client.feed(since: .after(Position(epoch: welcome.position.epoch, rev: 0)))
            let reader = Task { try await Self.take(100, all) }
            for index in 50..<100 { _ = try await client.add(WriteTests.draft("\(index)")) }
            let changes = try await reader.value
            #expect(changes.map(\.rev) == Array(1...100))
            #expect(changes.map(\.landmark.name) == (0..<100).map(String.init))
        }
    }

    @Test("from the oldest change that is kept, whatever the query service knows of the log by then")
    func oldest() async throws {
        try await withPair { pair, client in
            for index in 0..<5 { _ = try await client.add(WriteTests.draft("\(index)")) }
            let all = client.feed(since: .oldest)
            #expect(try await Self.take(5, all).map(\.rev) == Array(1...5))
            #expect(try await client.compact(below: 4) == (4, 5))
            let reader = Task { try await Self.take(3, all) }
            _ = try await client.add(WriteTests.draft("5"))
            #expect(try await reader.value.map(\.rev) == [4, 5, 6])
        }
    }

    @Test("a reader that is slower than the writers loses nothing, and its queue stays bounded")
    func slowReader() async throws {
        try await withPair { pair, client in
            let welcome = try await client.hello()
            let feed = client.feed(since: .after(welcome.position))
            var iterator = feed.makeAsyncIterator()
            _ = try await client.add(WriteTests.draft("first"))
            while let item = try await iterator.next() { if case .change = item { break } }
            let rows = 12_000
            for start in stride(from: 0, to: rows, by: 1_000) {
                let request = WireRequest.with {
                    $0.ingest = .with {
                        $0.source = "many"
                        $0.rows = (start..<start + 1_000).map { number in
                            WireSourceRow("\(number)", .with { ($0.name, $0.lat) = ("\(number)", 1) })
                        }
                    }
                }
                _ = try await client.send(request)
            }
            var revisions: [UInt64] = []
            while revisions.count < rows, let item = try await iterator.next() {
                if case .change(let change) = item { revisions.append(change.change.rev) }
            }
            #expect(revisions == Array(2...UInt64(rows + 1)))
        }
    }

    @Test("positions of another history are refused")
    func wrongPositions() async throws {
        try await withPair { pair, client in
            _ = try await client.add(WriteTests.draft())
            let welcome = try await client.hello()
            for (position, code) in [
                (Position(epoch: welcome.position.epoch, rev: 2), ErrorCode.futureRevision),
                (Position(epoch: welcome.position.epoch, rev: .max), .futureRevision),
                (Position(epoch: UUIDv7(high: 3, low: 3), rev: 0), .epochChanged),
            ] {
                #expect(try await WriteTests.refusal { _ = try await client.changes(after: position) } == code)
                let feed = client.feed(since: .after(position))
                #expect(try await WriteTests.refusal { _ = try await Self.take(1, feed) } == code)
            }
        }
    }

    /// What a write is refused with while storage is away.
    private static func refusal(of client: WaymarkClient) async throws -> ErrorCode? {
        while true {
            do {
                return try await WriteTests.refusal { _ = try await client.add(WriteTests.draft("never")) }
            } catch ClientError.timedOut, ClientError.mayBeDone {
                // The last copy of a write has only what the earlier ones have left of its time, and on a busy machine
                // that may be too little for the refusal. The next write arrives after it, so its refusal settles both.
            }
        }
    }

    @Test("storage restarts: meanwhile the replica answers and writes are refused; no change is lost or repeated")
    func storageRestarts() async throws {
        let directory = try TemporaryDirectory()
        let context = try Context()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var made = StorageOptions(
            directory: directory.path + "/data", listen: "ipc://\(directory.path)/s",
            changes: "ipc://\(directory.path)/c",
            beacon: .milliseconds(100))
        try made.useTestedEngine(directory.path)
        let options = made
        var storage = try StorageServer(options, context: context, logger: logger)
        _ = try await storage.start()
        let query = try QueryServer(
            QueryOptions(listen: "ipc://\(directory.path)/q", storage: "ipc://\(directory.path)/s"), context: context,
            logger: logger)
        let endpoint = try await query.start()
        let client = try await WaymarkClient(
            .init(endpoint: endpoint, user: "armando", timeout: .seconds(60)), context: context)
        // It has written nothing, so its questions ask for no position.
        let onlooker = try await WaymarkClient(
            .init(endpoint: endpoint, user: "cy", timeout: .seconds(60)), context: context)
        let impatient = try await WaymarkClient(
            .init(endpoint: endpoint, user: "bea", timeout: .seconds(4)), context: context)
        let welcome = try await client.hello()
        let feed = client.feed(since: .after(welcome.position))
        let reader = Task { try await Self.take(9, feed) }
        let here = try Coordinate(latitude: 0, longitude: 0)

        for round in 0..<3 {
            for index in 0..<3 { _ = try await client.add(WriteTests.draft("\(round)-\(index)")) }
            #expect(try await client.near(here).hits.count == 3 * (round + 1))
            await storage.stop()
            while try await onlooker.near(here).freshness.isStorageAway == false {}
            #expect(try await onlooker.near(here).hits.count == 3 * (round + 1))
            #expect(try await Self.refusal(of: impatient) == .unavailable)
            storage = try StorageServer(options, context: context, logger: logger)
            _ = try await storage.start()
        }
        let changes = try await reader.value
        #expect(changes.map(\.rev) == Array(1...9))
        #expect(!changes.map(\.landmark.name).contains("never"))

        await client.close()
        await impatient.close()
        await onlooker.close()
        await query.stop()
        await storage.stop()
        context.terminate()
    }

    @Test("several query services on one storage reach the same state, and show each other's writes")
    func severalQueries() async throws {
        try await withPair(.ipc) { pair, client in
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let second = try QueryServer(
                QueryOptions(listen: "ipc://\(pair.directory.path)/q2", storage: pair.storageEndpoint),
                context: pair.context, logger: logger)
            let endpoint = try await second.start()
            let other = try await WaymarkClient(
                .init(endpoint: endpoint, user: "bea", timeout: .seconds(60)), context: pair.context)
            let here = try Coordinate(latitude: 0, longitude: 0)
            let epoch = try await client.hello().position.epoch
            for index in 1...20 {
                let written = try await client.add(WriteTests.draft("\(index)"))
                let seen = try await other.near(here, limit: 100, atLeast: Position(epoch: epoch, rev: written.rev))
                #expect(seen.hits.count == index)
            }
            await other.close()
            await second.stop()
        }
    }
}
