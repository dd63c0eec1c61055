// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Reads that ask for at least a position", .inTurn)
struct PositionTests {
    private func counter(_ name: String, _ client: WaymarkClient) async throws -> UInt64 {
        try await client.status().query?.counters.first { $0.name == name }?.value ?? 0
    }

    @Test("a near after a write takes the same fast path as any other")
    func byHand() async throws {
        try await withPair { _, client in
            let place = try Coordinate(latitude: -33.9, longitude: 151.2)
            for number in 1...3 as ClosedRange<UInt64> {
                let added = try await client.add(WriteTests.draft("\(number)"))
                // The first request may arrive before the replica has the write.
                #expect(try await client.near(place, limit: 10).hits.contains { $0.landmark.id == added.id })
                let before = try await counter("near_by_hand", client)
                _ = try await client.near(place, limit: 10)
                // A copy of a request that was sent again counts too.
                #expect(try await counter("near_by_hand", client) > before)
            }
        }
    }

    /// Sends a near with a position in the header and a time limit.
    private func near(
        _ peer: RawPeer, _ sequence: UInt64, _ position: Position, milliseconds: UInt32 = 60_000
    ) async throws -> WireReply {
        var header = RawPeer.header(sequence)
        header.timeoutMs = milliseconds
        header.atLeast = position.wire
        return try await peer.ask(.with { $0.near = WireNear() }, header).1
    }

    @Test("an impossible revision is refused, a possible one is waited for, and the wait ends in time")
    func beyond() async throws {
        try await withPair { pair, client in
            let epoch = try await client.hello().position.epoch
            let here = Position(epoch: epoch, rev: try await client.add(WriteTests.draft()).rev)
            // Waits until the replica has reached the position too.
            _ = try await client.near(try Coordinate(latitude: 0, longitude: 0))
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            do {
                for rev: UInt64 in [1 << 62, .max] {
                    let reply = try await near(peer, rev >> 60, Position(epoch: here.epoch, rev: rev))
                    #expect(reply.failure.code == ErrorCode.futureRevision.rawValue && reply.failure.head == here.rev)
                }
                #expect(try await near(peer, 20, Position(epoch: here.epoch, rev: here.rev)).hits.hits.count == 1)
                let late = try await near(
                    peer, 21, Position(epoch: here.epoch, rev: here.rev + 1), milliseconds: 300)
                #expect(late.failure.code == ErrorCode.notYet.rawValue)
                async let waiting = near(
                    peer, 22, Position(epoch: here.epoch, rev: here.rev + 2), milliseconds: 60_000)
                while try await counter("near", client) == 0 { await Task.yield() }
                for name in ["second", "third"] { _ = try await client.add(WriteTests.draft(name)) }
                #expect(try await waiting.hits.hits.count == 3)
                let stranger = Position(epoch: UUIDv7(high: 1, low: 1), rev: 1)
                #expect(try await near(peer, 23, stranger).failure.code == ErrorCode.epochChanged.rawValue)
            } catch {
                await peer.close()
                throw error
            }
            await peer.close()
        }
    }
}
