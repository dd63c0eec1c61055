// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import Logging
import QueryService
import StorageService
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Where storage's feed can be reached by nobody", .inTurn)
struct UnreachableFeedTests {
    /// A port of loopback at which nothing listens, and which nobody without root can open.
    private static let closed = "tcp://127.0.0.1:1"

    @Test("the query service asks storage and the client the query service, each by requests that wait")
    func bothWait() async throws {
        let context = try Context()
        let directory = try TemporaryDirectory()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        func endpoint(_ name: String) -> String { "ipc://\(directory.path)/\(name)" }
        let storage = try StorageServer(
            StorageOptions(
                directory: nil, listen: endpoint("s"), changes: endpoint("c"), advertise: Self.closed, diskReserve: 0),
            context: context, logger: logger)
        _ = try await storage.start()
        let query = try QueryServer(
            QueryOptions(listen: endpoint("q"), storage: endpoint("s")), context: context, logger: logger)
        _ = try await query.start()
        #expect(await query.waitUntilReady(timeout: .seconds(60)))
        let client = try await WaymarkClient(
            .init(endpoint: endpoint("q"), user: "armando", timeout: .seconds(60)), context: context)
        try await Self.follow(client)
        await client.close()
        await query.stop()
        await storage.stop()
        context.terminate()
    }

    private static func follow(_ client: WaymarkClient) async throws {
        var feed = client.feed(since: .after(try await client.hello().position)).makeAsyncIterator()
        var loss: FeedLoss?
        while loss == nil, let item = try await feed.next() { if case .lost(let news) = item { loss = news } }
        #expect(loss == FeedLoss(endpoint: closed, cause: .unreachable))
        // The query service began earlier, so it has lost the feed too.
        try await until {
            try await client.status().query?.remarks.contains { $0.contains("feed of changes is silent") } == true
        }
        var times: [Duration] = []
        var revisions: [UInt64] = []
        for number in 0..<30 {
            let begun = ContinuousClock.now
            _ = try await client.add(WriteTests.draft("\(number)"))
            while let item = try await feed.next() {
                guard case .change(let change) = item else { continue }
                revisions.append(change.position.rev)
                break
            }
            times.append(ContinuousClock.now - begun)
        }
        #expect(revisions == Array(1...30))
        // With a page every three seconds at both it would be three for nearly all. A busy machine keeps some waiting.
        #expect(times.sorted()[5] < .milliseconds(1_000), "\(times)")
        try await until {
            guard let status = try await client.status().query else { return false }
            return !status.isStorageAway && status.age < 5_000
        }
    }
}
