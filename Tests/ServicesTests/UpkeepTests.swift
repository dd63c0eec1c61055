// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import StorageRules
import StorageService
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Compaction, backups and positions, through both services", .inTurn)
struct UpkeepTests {
    /// Runs with one more client or peer and closes it in any case: an open socket would keep the pair from ending.
    private func with<Peer: Sendable>(
        _ peer: Peer, _ close: (Peer) async -> Void, _ body: (Peer) async throws -> Void
    ) async throws {
        do {
            try await body(peer)
        } catch {
            await close(peer)
            throw error
        }
        await close(peer)
    }

    private func ingest(_ client: WaymarkClient, _ rows: Range<Int>) async throws {
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: 1_000) {
            let request = WireRequest.with {
                $0.ingest = .with {
                    $0.source = "many"
                    $0.rows = (start..<min(start + 1_000, rows.upperBound)).map { number in
                        WireSourceRow("\(number)", .with { ($0.name, $0.lat) = ("\(number)", 1) })
                    }
                }
            }
            _ = try await client.send(request)
        }
    }

    private func code(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch ClientError.refused(let error) {
            return error.code
        } catch {
            return nil
        }
    }

    @Test("the log shrinks by itself to the configured size, and text search keeps working")
    func retention() async throws {
        try await withPair(onDisk: true, retention: Retention(count: 1_500, age: .zero)) { _, client in
            try await ingest(client, 0..<8_000)
            var floor: UInt64 = 1
            try await until {
                floor = try await client.status().storage?.floor ?? 0
                return floor >= 6_501
            }
            #expect(floor == 6_501)
            #expect(try await client.search("77").hits.count >= 1)
            let head = try await client.hello().position
            let page = try await client.changes(after: Position(epoch: head.epoch, rev: 6_500), limit: 10)
            #expect(page.changes.first?.position.rev == 6_501)
            let gone = await code { _ = try await client.changes(after: Position(epoch: head.epoch, rev: 6_499)) }
            #expect(gone == .compacted)
        }
    }

    @Test("compact answers after it is done, while others write")
    func compact() async throws {
        try await withPair(onDisk: true) { pair, client in
            try await ingest(client, 0..<7_000)
            try await with(try await pair.client(timeout: .seconds(60)), { await $0.close() }) { other in
                let writing = Task {
                    for number in 0..<50 { _ = try await other.add(WriteTests.draft("\(number)")) }
                }
                #expect(await code { _ = try await client.compact(below: 99_999) } == .futureRevision)
                #expect(try await client.compact(below: 6_500, timeout: .seconds(60)).floor == 6_500)
                #expect(try await client.compact(below: 10).floor == 6_500)
                try await writing.value
            }
            try await with(RawPeer(), { await $0.close() }) { beacons in
                try await beacons.open(pair.changesEndpoint, context: pair.context, as: .xsub)
                try await beacons.send([[1] + FeedTopic.everything.bytes])
                var floors: Set<UInt64> = []
                // Only beacons name the floor. They have no changes; the last one may still arrive.
                var left = 3
                while left > 0 {
                    let frame = try #require(try await beacons.receive().first)
                    let batch = try WireFeedBatch(
                        serializedBytes: Array(frame.dropFirst(FeedTopic.everything.bytes.count)))
                    guard batch.changes.isEmpty else { continue }
                    floors.insert(batch.floor)
                    left -= 1
                }
                #expect(floors == [6_500])
            }
            let kept = try await client.compact(below: 0, timeout: .seconds(60))
            #expect(kept.floor == 7_050 && kept.head == 7_050)
            #expect(try await client.add(WriteTests.draft("last")).rev == 7_051)
        }
    }

    @Test("a backup is read in pieces, by one client at a time", arguments: [true, false])
    func backup(onDisk: Bool) async throws {
        try await withPair(onDisk: onDisk) { pair, client in
            try await ingest(client, 0..<8_000)
            // A second request of the same client gets the same backup.
            async let first = client.beginBackup(timeout: .seconds(60))
            async let second = client.beginBackup(timeout: .seconds(60))
            let offer = try await first
            #expect(try await second == offer)
            #expect(offer.position.rev == 8_000 && offer.position.run != nil && offer.bytes > 1_048_576)
            try await with(try await pair.client(), { await $0.close() }) { other in
                // A client repeats what was refused, and on a busy machine its last copy may have too little time.
                var refusal: ErrorCode?
                try await until {
                    refusal = await code { _ = try await other.beginBackup(timeout: .seconds(1)) }
                    return refusal != nil
                }
                #expect(refusal == .busy)
                var bytes = Data()
                while true {
                    let piece = try await client.readBackup(offer, offset: UInt64(bytes.count))
                    if piece.isEmpty { break }
                    #expect(piece.count <= WaymarkProtocol.pageBytes)
                    bytes += piece
                }
                #expect(UInt64(bytes.count) == offer.bytes && bytes.prefix(15) == Data("SQLite format 3".utf8))
                // A copy of the last request may come after the backup is deleted.
                #expect(try await client.readBackup(offer, offset: offer.bytes).isEmpty)
                #expect(await code { _ = try await client.readBackup(offer, offset: 0) } == .notFound)
                #expect(try await other.beginBackup(timeout: .seconds(60)).id != offer.id)
            }
            if onDisk {
                let names = try FileManager.default.contentsOfDirectory(atPath: pair.directory.path + "/data")
                #expect(!names.contains { $0.contains("copy") })
            }
        }
    }

    @Test("a position contains its run, and one of another history is refused")
    func runs() async throws {
        try await withPair { _, client in
            try await ingest(client, 0..<20)
            let found = try await client.locate(before: .max)
            let here = found.position
            #expect(here.rev == 20 && here.run != nil && found.floor == 1)
            #expect(try await client.locate(before: 1).position.rev == 0)
            #expect(
                try await client.changes(after: Position(epoch: here.epoch, rev: 5, run: here.run)).through.rev == 20)
            let page = try await client.send(.with { $0.changes = .with { $0.since = here.wire } }).1.changes
            #expect(UUIDv7(bytes: page.run) == here.run)
            let snapshot = try await client.send(.with { $0.snapshot = WireSnapshot() }).1.snapshot
            #expect(snapshot.head == 20 && snapshot.landmarks.count == 20)
            var stranger = here
            stranger.run = UUIDv7(high: 1, low: 1)
            for rev: UInt64 in [5, 20, 99] {
                stranger.rev = rev
                let position = stranger
                #expect(await code { _ = try await client.changes(after: position) } == .epochChanged)
            }
        }
    }
}
