// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// `WAYMARK_FUZZ=1000000` sends so many requests, half to each service; `WAYMARK_FUZZ_SEED` repeats a run.
@Suite("Valid requests with extreme numbers", .inTurn(minutes: 240))
struct NumberFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["WAYMARK_FUZZ"].flatMap { Int($0) } ?? 12_000
    /// A known one, and one that is another each time.
    private static let seeds: [UInt64] =
        environment["WAYMARK_FUZZ_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? [1, .random(in: 2...UInt64.max)]

    /// At once: a trap would lose what is buffered.
    private static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    enum Service: String, CaseIterable { case query, storage }

    private static let kinds = RequestKind.allCases.filter { $0 != .unknown }
    /// Without accounts the others are all refused alike.
    private static let plain = kinds.filter { !$0.isAboutAccounts && $0 != .serverKey }

    @Test("every kind of request is made, with every field", arguments: kinds)
    func isMade(_ kind: RequestKind) throws {
        #expect(RequestKind.count <= MessageMaker.mostFields)
        var maker = MessageMaker(seed: kind.rawValue, ids: [UUIDv7(high: 1, low: 1)], epochs: [UUIDv7(high: 1, low: 2)])
        for _ in 0..<100 {
            let request = try maker.request(kind)
            #expect(request.kind == kind)
            #expect(try WireRequest(serializedBytes: request.serializedBytes() as [UInt8]).kind == kind)
        }
    }

    @Test("no valid request with extreme numbers ends a service or silences it", arguments: Service.allCases)
    func requests(to service: Service) async throws {
        for seed in Self.seeds {
            Self.tell("WAYMARK_FUZZ_SEED=\(seed)")
            try await withPair(.ipc, reads: 128) { pair, client in
                let ids = try await Self.fill(client)
                let position = try await client.hello().position
                var round = FuzzRound(
                    service == .query ? pair.endpoint : pair.storageEndpoint, pair.context, seed: seed,
                    kinds: Self.plain, ids: ids, epochs: [position.epoch, position.run ?? position.epoch])
                round.samples = try await Self.samples(client)
                try await round.run(Self.count / 2 / Self.seeds.count)
                Self.tell("fuzz \(service.rawValue): \(round.summary)")
                // A request that is not understood at all shows nothing.
                let answered = Set(round.done.keys)
                let wanted: Set<RequestKind> =
                    service == .query
                    ? [.near, .list, .tile, .add, .ingest, .search] : [.track, .add, .ingest, .locate]
                #expect(seed != 1 || wanted.isSubset(of: answered))
                _ = try await client.add(WriteTests.draft("after"))
            }
        }
    }

    /// Adds landmarks with hours, which questions for what is open read, and others.
    ///
    /// - Returns: the ids of the others, which may be changed and removed.
    private static func fill(_ client: WaymarkClient) async throws -> [UUIDv7] {
        for hours in [
            "24/7", "Mo-Su 00:00-12:00,12:01-24:00", "Mo-Su 00:00-23:59", "week 1-53/2 Mo 10:00+; easter 11:00-12:00",
            "sunrise-sunset",
        ] {
            var draft = try WriteTests.draft("kiosk \(hours)")
            try draft.attributes.set(.openingHours, to: hours)
            try draft.attributes.set(.kind, to: "kiosk")
            _ = try await client.add(draft)
        }
        var ids: [UUIDv7] = []
        for number in 0..<8 { ids.append(try await client.add(WriteTests.draft("\(number)")).id) }
        return ids
    }

    /// Second pages of what is open.
    private static func samples(_ client: WaymarkClient) async throws -> [WireRequest] {
        var questions: [WireRequest] = [
            .with { $0.near = .with { ($0.lat, $0.lng, $0.limit, $0.opening.openOnly) = (-33.8, 151.2, 1, true) } },
            .with { $0.list = .with { ($0.order, $0.limit, $0.opening.openOnly) = (.byRecent, 1, true) } },
            .with { $0.list = .with { ($0.order, $0.limit, $0.opening.openOnly) = (.byName, 1, true) } },
        ]
        for place in questions.indices {
            let cursor = try await client.send(questions[place]).1.hits.cursor
            #expect(!cursor.isEmpty)
            if questions[place].kind == .near {
                questions[place].near.after = cursor
            } else {
                questions[place].list.after = cursor
            }
        }
        return questions
    }

    @Test("nor where accounts are required: as an administrator, as the machine of storage, as a service")
    func securedRequests() async throws {
        for seed in Self.seeds {
            Self.tell("WAYMARK_FUZZ_SEED=\(seed)")
            try await withSecuredPair { pair in
                let (keys, admin) = try await pair.account("root", .admin)
                _ = try await pair.account("ann", .user)
                let epoch = try await admin.hello().position.epoch
                let whole = Self.count / Self.seeds.count / 10
                func security(_ keys: CurveKeyPair, _ server: CurveKeyPair) -> SocketSecurity {
                    .curveClient(serverKey: server.publicKey, keys: keys)
                }
                let listeners: [(String, SocketSecurity)] = [
                    (pair.endpoint, security(keys, pair.serviceKeys)),
                    (pair.storageEndpoint, security(pair.storageKeys, pair.storageKeys)),
                    (pair.storageEndpoint, security(pair.serviceKeys, pair.storageKeys)),
                ]
                for (endpoint, security) in listeners {
                    var round = FuzzRound(
                        endpoint, pair.contexts[2], seed: seed, security: security, kinds: Self.kinds, epochs: [epoch])
                    try await round.run(whole / listeners.count)
                    Self.tell("fuzz with accounts: \(round.summary)")
                }
                _ = try await admin.add(WriteTests.draft("after"))
            }
        }
    }

    @Test("no topic with extreme numbers silences the feed")
    func topics() async throws {
        for seed in Self.seeds {
            Self.tell("WAYMARK_FUZZ_SEED=\(seed)")
            try await withPair(.ipc) { pair, client in
                var maker = MessageMaker(seed: seed)
                let feed = client.feed(since: .after(try await client.hello().position))
                let peer = RawPeer()
                try await peer.open(pair.changesEndpoint, context: pair.context, as: .xsub)
                for number in 0..<UInt64(Self.count / Self.seeds.count / 10) {
                    let topic = try? maker.topic()
                    try await peer.send([[1] + (topic ?? FeedTopic.everything.bytes)])
                    if number.isMultiple(of: 50) { _ = try await client.add(WriteTests.draft("\(number)")) }
                    try await peer.send([[0] + (topic ?? FeedTopic.everything.bytes)])
                }
                try await peer.send([[1] + FeedTopic.everything.bytes])
                _ = try await peer.receive()
                _ = try await client.add(WriteTests.draft())
                #expect(try await FeedTests.take(1, feed).map(\.rev) == [1])
                await peer.close()
            }
        }
    }
}
