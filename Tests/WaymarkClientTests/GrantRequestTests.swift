// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestServices
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkClient

@Suite("Requests about grants and points", .inTurn)
struct GrantRequestTests {
    private static let id = UUIDv7(high: 5, low: 6)

    /// Runs `body` with a client of a service that gives these answers in turn, and the last one again and again.
    private static func withAnswers(
        _ replies: [WireReply], _ body: (WaymarkClient, Locked<[WireRequest.OneOf_Command]>) async throws -> Void
    ) async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let asked = Locked<[WireRequest.OneOf_Command]>([])
        let service = StubService.reading { command in
            let turn = asked.withLock { asked in
                asked.append(command)
                return asked.count
            }
            return .answer(replies[min(turn, replies.count) - 1])
        }
        let endpoint = try await service.start(at: folder.endpoint, context)
        let client = try await WaymarkClient(
            .init(endpoint: endpoint, user: "ann", timeout: .seconds(60)), context: context)
        do { try await body(client, asked) } catch { Issue.record(error) }
        await client.close()
        await service.stop()
        context.terminate()
    }

    @Test("a grant is read with its landmark or area, and its secret is not sent")
    func grants() async throws {
        let token = GrantToken()
        let digest = try #require(token.digest)
        let filter = FeedFilter(kinds: ["boat"])
        let wire = WireGrant.with {
            ($0.digest, $0.kind, $0.label, $0.account) = (Data(digest.bytes), .see, "harbour", 4)
            ($0.user, $0.filter, $0.made, $0.expires) = ("ann", Data(filter.wire.encoded), 7, 9)
        }
        let reply = WireReply.with {
            ($0.grants.grants, $0.grants.more, $0.grants.zones) = ([wire], true, [wire.filter])
        }
        try await Self.withAnswers([reply]) { client, asked in
            let made = try await client.grants.add(token, .see, .area(filter), label: "harbour", expires: 9)
            #expect(made.target == .area(filter) && made.landmark == nil && made.expires == 9 && made.used == nil)
            let add = WireAddGrant.with {
                ($0.kind, $0.label, $0.digest, $0.filter) = (.see, "harbour", wire.digest, wire.filter)
                $0.expires = 9
            }
            #expect(asked.withLock { $0.last } == .addGrant(add))
            let page = try await client.grants.page(.see, limit: 5)
            #expect(page.grants == [made] && page.hasMore)
            let found = try #require(try await client.grants.find(digest))
            #expect(found.grant == made && found.zones == [filter])
        }
        var broken = reply
        broken.grants.grants[0].filter = Data([0xff])
        try await Self.withAnswers([broken]) { client, _ in
            await #expect(throws: ClientError.self) { try await client.grants.page() }
        }
        try await Self.withAnswers([.with { $0.grants = WireGrants() }]) { client, _ in
            let none = try await client.grants.find(digest)
            #expect(none == nil)
        }
    }

    @Test("points are sent with what was measured, and a track is erased step by step")
    func points() async throws {
        let added = WireReply.with {
            $0.pointsAdded = .with { ($0.landmark, $0.added, $0.known, $0.rev) = (Self.id.wire, 1, 2, 0) }
        }
        try await Self.withAnswers([added]) { client, asked in
            let place = try Coordinate(latitude: 1, longitude: 2)
            let point = TrackPoint(rev: 0, at: 8, coordinate: place, accuracy: 4.5)
            let answer = try await client.tracks.add([point], to: Self.id)
            #expect(answer.landmark == Self.id && answer.added == 1 && answer.known == 2 && answer.rev == nil)
            guard case .addPoints(let sent)? = asked.withLock({ $0.last }) else { throw CancellationError() }
            #expect(sent.landmark == Self.id.wire && sent.grant.isEmpty)
            #expect(sent.points.map(\.accuracy) == [4.5] && sent.points.allSatisfy { !$0.hasSpeed })
            #expect(try sent.points.map(TrackPoint.init) == [point])
        }
        let next = UUIDv7(high: 9, low: 0).wire
        let steps: [(UInt64, Data)] = [(2_000, Data()), (0, next), (7, Data()), (0, Data())]
        let replies = steps.map { step in
            WireReply.with { $0.trackErased = .with { ($0.points, $0.next) = step } }
        }
        try await Self.withAnswers(replies) { client, asked in
            let erased = try await client.tracks.erase(of: nil, before: 5)
            #expect(erased == 2_007)
            let sent = asked.withLock { asked in
                asked.compactMap { command -> Data? in
                    guard case .eraseTrack(let erase) = command else { return nil }
                    return erase.after
                }
            }
            #expect(sent == [Data(), Data(), next, Data()])
        }
    }
}
