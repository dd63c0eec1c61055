// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite("Leases to fetch a source", .computing)
struct FetchLeaseTests {
    private func begin(
        _ client: EngineClient, url: String = "https://a.example", format: String = "geojson", every: UInt64 = 60_000,
        lease: UInt64 = 10_000
    ) throws -> WireFetchLease {
        let fetch = WireBeginFetch.with {
            ($0.source, $0.url, $0.format, $0.everyMs, $0.leaseMs) = ("seed", url, format, every, lease)
        }
        let reply = try client.send(.beginFetch(fetch), user: "")
        guard case .fetchLease(let answer) = reply.result else { throw Unexpected(reply: reply) }
        return answer
    }

    private func end(
        _ client: EngineClient, _ result: WireFetchOutcome.Result, etag: String = "", error: String = "",
        added: UInt64? = nil
    ) throws {
        var outcome = WireFetchOutcome()
        outcome.result = result
        outcome.etag = etag
        outcome.error = error
        if let added { outcome.counts.added = added }
        let reply = try client.send(.endFetch(source: "seed", outcome), user: "")
        guard case .done = reply.result else { throw Unexpected(reply: reply) }
    }

    @Test(arguments: Home.allCases)
    func oneAtATimeAndNotTooOften(home: Home) throws {
        let client = try EngineClient(home)
        #expect(try begin(client).granted)
        client.now += 4_000
        // Somebody fetches.
        var lease = try begin(client, every: 0)
        #expect(!lease.granted && lease.waitMs == 6_000)
        try end(client, .ingested, etag: "1", added: 5)
        // It was fetched a moment ago.
        lease = try begin(client)
        #expect(!lease.granted && lease.waitMs == 56_000)
        #expect(try begin(client, every: 0).granted)
        #expect(client.engine.position.rev == 0)
    }

    @Test("the list of as many sources as it may have fits into a frame, whatever texts they have")
    func longTexts() async throws {
        let client = try EngineClient(Home.allCases[0])
        // One character.
        let long = "e" + String(repeating: "\u{301}", count: 4_095)
        let outcome = WireFetchOutcome.with {
            ($0.result, $0.etag, $0.lastModified, $0.error, $0.format) = (.failed, long, long, long, long)
        }
        for number in 0..<WaymarkProtocol.pageRows {
            let fetch = WireBeginFetch.with {
                ($0.source, $0.url, $0.format, $0.everyMs, $0.leaseMs) = ("\(number)", long, long, 60_000, 10_000)
            }
            try client.send(.beginFetch(fetch), user: "")
            try client.send(.endFetch(source: "\(number)", outcome), user: "")
        }
        let sources = try await client.engine.reader.sources()
        #expect(sources.count == WaymarkProtocol.pageRows)
        let bytes: [UInt8] = try WireReply.with { $0.sources.sources = sources }.serializedBytes()
        #expect(bytes.count < WaymarkProtocol.messageBytes)
    }

    @Test(arguments: Home.allCases)
    func turnThatIsNotGivenBackEnds(home: Home) throws {
        let client = try EngineClient(home)
        #expect(try begin(client, every: 0, lease: 10_000).granted)
        client.now += 9_999
        #expect(try !begin(client, every: 0).granted)
        client.now += 1
        #expect(try begin(client, every: 0).granted)
    }

    @Test(arguments: Home.allCases)
    func whatFailedOrWasGivenUpIsTriedAgainSoon(home: Home) throws {
        let client = try EngineClient(home)
        let day: UInt64 = 86_400_000
        #expect(try begin(client, every: day).granted)
        try end(client, .failed, error: "no route")
        var lease = try begin(client, every: day)
        #expect(!lease.granted && lease.waitMs == 30_000)
        client.now += 29_999
        #expect(try !begin(client, every: day).granted)
        client.now += 1
        #expect(try begin(client, every: day).granted)
        // Whoever had this lease was stopped, and tells nothing.
        client.now += 10_000
        #expect(try begin(client, every: day).granted)
        try end(client, .ingested)
        lease = try begin(client, every: day)
        #expect(!lease.granted && lease.waitMs == day)
        // More often than twice a minute only for a source that is fetched as often.
        #expect(try begin(client, every: 0).granted)
        try end(client, .failed, error: "no route")
        lease = try begin(client, every: 2_000)
        #expect(!lease.granted && lease.waitMs == 2_000)
    }

    @Test(arguments: Home.allCases)
    func attemptInTheFutureCountsAsLongAgo(home: Home) throws {
        let client = try EngineClient(home)
        #expect(try begin(client).granted)
        client.now -= 86_400_000
        #expect(try begin(client).granted)
    }

    @Test(arguments: Home.allCases)
    func validatorsBelongToOneURLAndFormat(home: Home) throws {
        let client = try EngineClient(home)
        #expect(try begin(client).etag == "")
        try end(client, .ingested, etag: "1", added: 5)
        #expect(try begin(client, every: 0).etag == "1")
        try end(client, .notModified)
        #expect(try begin(client, every: 0).etag == "1")
        try end(client, .failed, error: "no route")
        #expect(try begin(client, every: 0).etag == "1")
        try end(client, .failed, error: "no route")
        #expect(try begin(client, url: "https://b.example", every: 0).etag == "")
        try end(client, .failed, error: "no route")
        #expect(try begin(client, format: "overpass", every: 0).etag == "")
        try end(client, .failed, error: "no route")
        #expect(try begin(client, every: 0).etag == "1")
    }

    @Test(arguments: Home.allCases)
    func failureKeepsWhatTheLastSuccessSaid(home: Home) async throws {
        let client = try EngineClient(home)
        let start = client.now
        _ = try begin(client)
        try end(client, .ingested, etag: "1", added: 5)
        client.now += 100_000
        _ = try begin(client)
        try end(client, .failed, error: "The server answered 500.")
        let source = try #require(try await client.engine.reader.sources().first)
        #expect(source.source == "seed" && source.url == "https://a.example" && source.format == "geojson")
        #expect(source.attempts == 2 && source.failures == 1)
        #expect(source.succeeded == start && source.attempted == client.now)
        #expect(source.outcome.result == .failed && source.outcome.error == "The server answered 500.")
        #expect(source.outcome.etag == "1" && source.outcome.counts.added == 5)
        if home == .disk { try client.reopen() }
        client.now += 100_000
        _ = try begin(client)
        try end(client, .notModified)
        let after = try #require(try await client.engine.reader.sources().first)
        #expect(after.outcome.result == .notModified && after.outcome.error.isEmpty && after.succeeded == client.now)
        #expect(after.outcome.counts.added == 5)
    }

    @Test(arguments: Home.allCases)
    func howTheBodyWasReadStaysWhileNothingChanges(home: Home) async throws {
        let client = try EngineClient(home)
        #expect(try begin(client).granted)
        var outcome = WireFetchOutcome()
        outcome.result = .ingested
        outcome.format = "seed"
        _ = try client.send(.endFetch(source: "seed", outcome), user: "")
        for result in [WireFetchOutcome.Result.notModified, .failed] {
            client.now += 100_000
            #expect(try begin(client).granted)
            try end(client, result)
            #expect(try await client.engine.reader.sources().first?.outcome.format == "seed")
        }
    }

    @Test func endWithoutBeginIsRefused() throws {
        let client = try EngineClient(.memory)
        var outcome = WireFetchOutcome()
        outcome.result = .failed
        #expect(try client.refused(.endFetch(source: "seed", outcome)) == .notFound)
    }

    /// The answer was lost on its way: the lease is still this client's.
    @Test(arguments: Home.allCases)
    func sameRequestAgainHasTheTurnAgain(home: Home) throws {
        let client = try EngineClient(home)
        let fetch = WireBeginFetch.with {
            ($0.source, $0.url, $0.format, $0.everyMs, $0.leaseMs) = ("seed", "u", "f", 60_000, 10_000)
        }
        let request = client.request(.beginFetch(fetch), user: "")
        #expect(try client.apply([request])[0].fetchLease.granted)
        #expect(try client.apply([request])[0].fetchLease.granted)
    }
}
