// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import Logging
import QueryService
import StorageService
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Where the feed is announced and followed", .inTurn)
struct FeedAddressTests {
    /// A storage that listens on all addresses, and query services.
    private final class Scene {
        let context: Context
        let storage: StorageServer
        let storageEndpoint: String
        let feedPort: Substring
        private var queries: [QueryServer] = []
        private var clients: [WaymarkClient] = []
        private let logger: Logger

        init(advertise: String? = nil) async throws {
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            self.logger = logger
            context = try Context()
            storage = try StorageServer(
                StorageOptions(
                    directory: nil, listen: "tcp://127.0.0.1:*", changes: "tcp://0.0.0.0:*", advertise: advertise,
                    isInsecure: true, beacon: .milliseconds(200), diskReserve: 0),
                context: context, logger: logger)
            let (listen, changes) = try await storage.start()
            storageEndpoint = listen
            feedPort = try #require(changes.split(separator: ":").last)
        }

        @discardableResult
        func query(_ change: (inout QueryOptions) -> Void) async throws -> QueryServer {
            var options = QueryOptions(listen: "tcp://127.0.0.1:*", storage: storageEndpoint)
            change(&options)
            let query = try QueryServer(options, context: context, logger: logger)
            queries.append(query)
            _ = try await query.start()
            guard await query.waitUntilReady(timeout: .seconds(60)) else { throw Pair.NotReady() }
            return query
        }

        func client(_ endpoints: [String], _ change: (inout ClientOptions) -> Void = { _ in }) async throws
            -> WaymarkClient
        {
            var options = ClientOptions(user: "ann", timeout: .seconds(60))
            options.endpoints = endpoints
            change(&options)
            let client = try await WaymarkClient(options, context: context)
            clients.append(client)
            return client
        }

        func stop() async {
            for client in clients { await client.close() }
            for query in queries { await query.stop() }
            await storage.stop()
            context.terminate()
        }
    }

    private func withScene(advertise: String? = nil, _ body: (Scene) async throws -> Void) async throws {
        let scene = try await Scene(advertise: advertise)
        do { try await body(scene) } catch {
            await scene.stop()
            throw error
        }
        await scene.stop()
    }

    /// Whether a feed was missed in less time than it takes to be missed: three beacons.
    private func wasMissed(in items: [FeedItem], since begun: ContinuousClock.Instant) -> Bool {
        let isLost = items.contains { if case .lost = $0 { true } else { false } }
        let missed = Duration.milliseconds(WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)
        return isLost && ContinuousClock.now - begun < missed
    }

    /// Adds a landmark.
    ///
    /// - Returns: the items of the feed until that one.
    private func adding(
        _ iterator: inout FeedSequence.AsyncIterator, _ client: WaymarkClient, _ name: String
    ) async throws -> [FeedItem] {
        _ = try await client.add(WriteTests.draft(name))
        var items: [FeedItem] = []
        while let item = try await iterator.next() {
            items.append(item)
            if case .change(let change) = item, change.change.landmark.name == name { break }
        }
        return items
    }

    @Test("storage announces a wildcard, and status shows it; whoever asks finds it at the host that he reached")
    func wildcard() async throws {
        try await withScene { scene in
            let query = try await scene.query { _ in }
            let endpoint = try #require(await query.endpoint)
            let client = try await scene.client([endpoint])
            #expect(try await storageStatus(client).changesEndpoint == "tcp://*:\(scene.feedPort)")
            #expect(try await client.status().query?.changesEndpoint == "tcp://127.0.0.1:\(scene.feedPort)")
            for host in ["127.0.0.1", "localhost"] {
                let port = try #require(scene.storageEndpoint.split(separator: ":").last)
                let client = try await scene.client(["tcp://\(host):\(port)"])
                #expect(try await client.hello().changesEndpoint == "tcp://\(host):\(scene.feedPort)")
            }
        }
    }

    @Test("with several endpoints the feed is followed at the host of the one in use, and moves with it at once")
    func moves() async throws {
        try await withScene { scene in
            // The same port on two addresses, so that only the host tells the two feeds apart.
            let first = try await scene.query { $0.relay = RelayOptions(listen: "tcp://127.0.0.1:*") }
            let port = try #require(await first.relayEndpoint?.split(separator: ":").last)
            let relay = RelayOptions(listen: "tcp://127.0.0.2:\(port)", advertise: "tcp://*:\(port)")
            let second = try await scene.query {
                $0.listen = "tcp://127.0.0.2:*"
                $0.relay = relay
            }
            let endpoints = [try #require(await first.endpoint), try #require(await second.endpoint)]
            let client = try await scene.client(endpoints)
            var feed = client.feed(since: .after(try await client.hello().position)).makeAsyncIterator()
            _ = try await adding(&feed, client, "before")
            #expect(try await client.hello().changesEndpoint == "tcp://127.0.0.1:\(port)")
            try await until {
                HostileTests.counter("relay_feed_connections", try await client.status().query?.counters) == 1
            }
            let begun = ContinuousClock.now
            await first.stop()
            let items = try await adding(&feed, client, "after")
            // It did not have to be missed first.
            #expect(!wasMissed(in: items, since: begun), "\(items)")
            #expect(try await client.hello().changesEndpoint == "tcp://127.0.0.2:\(port)")
            let other = try await scene.client([endpoints[1]])
            try await until {
                HostileTests.counter("relay_feed_connections", try await other.status().query?.counters) == 1
            }
        }
    }

    @Test("an endpoint of the client's own counts instead of the announced one")
    func givenFeed() async throws {
        try await withScene(advertise: "tcp://192.0.2.1:1") { scene in
            let query = try await scene.query { $0.changes = ["tcp://127.0.0.1:\(scene.feedPort)"] }
            #expect(try await scene.client([scene.storageEndpoint]).hello().changesEndpoint == "tcp://192.0.2.1:1")
            let given = "tcp://127.0.0.3:\(scene.feedPort)"
            let client = try await scene.client([try #require(await query.endpoint)]) { $0.feed = given }
            #expect(try await client.hello().changesEndpoint == given)
            let begun = ContinuousClock.now
            var feed = client.feed(since: .after(try await client.hello().position)).makeAsyncIterator()
            _ = try await adding(&feed, client, "first")
            // The query service's own, and this one.
            try await until {
                HostileTests.counter("feed_connections", try await storageStatus(client).counters) == 2
            }
            let items = try await adding(&feed, client, "live")
            #expect(!wasMissed(in: items, since: begun), "\(items)")
        }
    }

    @Test(
        "whatever a service announces ends no client",
        arguments: ["tcp://*", "tcp://*:", "*", "\0", String(repeating: "tcp://*:7", count: 10_000)])
    func hostile(announced: String) async throws {
        try await withScene(advertise: announced) { scene in
            let client = try await scene.client([scene.storageEndpoint])
            #expect(try await client.hello().changesEndpoint.utf8.count < 400)
            let error = await #expect(throws: ClientError.self) {
                var feed = client.feed().makeAsyncIterator()
                _ = try await feed.next()
            }
            guard case .cannotConnect? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        }
    }
}
