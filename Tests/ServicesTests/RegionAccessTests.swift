// SPDX-License-Identifier: Apache-2.0

import Accounts
import Geodesy
import Landmarks
import Logging
import QueryService
import TestTurns
import Testing
import WaymarkClient
import ZeroMQ

@Suite("A query service of a region, with accounts", .inTurn)
struct RegionAccessTests {
    private static func place(_ longitude: Double) throws -> Coordinate {
        try Coordinate(latitude: 0, longitude: longitude)
    }

    /// Runs `body` with a pair, and with a query service of 100 km around (0, 0) that asks the pair's.
    private func withRegion(
        _ body: (SecuredPair, _ region: QueryServer, _ endpoint: String) async throws -> Void
    ) async throws {
        try await withSecuredPair { pair in
            let context = try Context()
            var options = QueryOptions(listen: "tcp://127.0.0.1:*", storage: pair.storageEndpoint)
            options.access = QueryAccess(keys: pair.serviceKeys, storage: pair.storageKeys.publicKey)
            options.region = Region(try .circle(at: Self.place(0), radius: 100_000))
            options.fallbacks = [pair.endpoint]
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let region = try QueryServer(options, context: context, logger: logger)
            var failure: (any Error)?
            do {
                let endpoint = try await region.start()
                #expect(await region.waitUntilReady(timeout: .seconds(60)))
                try await body(pair, region, endpoint)
            } catch { failure = error }
            await region.stop()
            context.terminate()
            if let failure { throw failure }
        }
    }

    private static func received(_ client: WaymarkClient) async throws -> UInt64 {
        HostileTests.counter("requests_received", try await client.status().query?.counters)
    }

    @Test("what it cannot answer is asked under the shared keys, for those that it lets in and for nobody else")
    func passedOn() async throws {
        try await withRegion { pair, region, endpoint in
            let (annKeys, ann) = try await pair.account("ann", .user)
            for number in 0..<20 {
                _ = try await ann.add(
                    LandmarkDraft(name: "\(number)", coordinate: try Self.place(Double(number) / 10)))
            }
            let asking = try await pair.client(annKeys, at: endpoint)
            // It has to find the one that it may ask, and to hear of the newest account.
            try await until { await refusal { _ = try await asking.list(.byName) } == nil }
            // One client's writes are not required of another's answers, so the position is named.
            let there = try await ann.list(.byName, limit: 50)
            let here = try await asking.list(.byName, limit: 50, atLeast: there.freshness.position)
            #expect(here.hits == there.hits)
            #expect(here.hits.count == 20)
            let near = try await asking.near(Self.place(1.9), limit: 2).hits.map(\.landmark.name)
            #expect(near == ["19", "18"])

            let before = try await Self.received(ann)
            let stranger = try await pair.client(try CurveKeyPair.generate(), at: endpoint)
            for _ in 0..<5 {
                #expect(await refusal { _ = try await stranger.list(.byName) } == "key refused")
            }
            // None of the strangers' five questions has come from there: only this question itself, and on a busy machine
            // its copies.
            #expect(try await Self.received(ann) - before < 5)

            try await pair.machine().endKey(annKeys.publicKey)
            try await until { await refusal { _ = try await asking.list(.byName) } == "key_ended" }
        }
    }
}
