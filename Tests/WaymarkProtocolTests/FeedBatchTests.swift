// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@Suite("Changes that leave together", .computing)
struct FeedBatchTests {
    private static let (epoch, run) = (UUIDv7(high: 1, low: 2), UUIDv7(high: 3, low: 4))

    private static func change(_ rev: UInt64) throws -> EncodedChange {
        let wire = WireChange.with {
            ($0.rev, $0.operation) = (rev, .added)
            $0.landmark = .with { ($0.id, $0.name, $0.lat) = (UUIDv7(high: 5, low: rev).wire, "place \(rev)", 1) }
        }
        return try #require(EncodedChange(wire.encoded))
    }

    private static func message(_ topic: FeedTopic, _ operations: [FeedOperation], n: UInt64) throws -> [UInt8] {
        var batch = FeedBatchWriter()
        for (place, operation) in operations.enumerated() {
            batch.append(try change(10 * UInt64(place + 1)), operation)
        }
        return batch.message(topic, epoch: epoch, run: run, n: n)
    }

    @Test("a message is its topic and what the generated code writes", arguments: [1, 2, 40])
    func generated(count: Int) throws {
        for operations in [
            [FeedOperation](repeating: .added, count: count),
            (0..<count).map { [.entered, .left, .changed][$0 % 3] },
        ] {
            let topic = FeedTopic(carrying: FeedFilter(kinds: ["beach"]))
            let n = UInt64(count + 5)
            let wire = try WireFeedBatch.with {
                ($0.epoch, $0.run, $0.n, $0.rev) = (Self.epoch.wire, Self.run.wire, n, 10 * UInt64(count))
                $0.changes = try (1...count).map { try WireChange(serializedBytes: Self.change(10 * UInt64($0)).bytes) }
                if operations.contains(where: { [.entered, .left].contains($0) }) {
                    $0.operations = operations.map { WireChange.Operation($0) }
                }
            }
            let bytes = try Self.message(topic, operations, n: n)
            #expect(bytes == topic.bytes + (try wire.serializedBytes() as [UInt8]))
            var seen: [FeedHeader] = []
            try bytes.dropFirst(topic.bytes.count).withContiguousStorageIfAvailable { bytes in
                let view = try #require(FeedBatchView(UnsafeRawBufferPointer(bytes)))
                #expect(view.count == count && view.header.n == n)
                view.forEach { header, change in
                    #expect(change?.bytes == wire.changes[seen.count].encoded)
                    seen.append(header)
                    return true
                }
            }
            #expect(seen.map(\.n) == Array(6...n) && seen.map(\.rev) == (1...UInt64(count)).map { $0 * 10 })
            let told = wire.operations.isEmpty ? [FeedOperation?](repeating: nil, count: count) : operations
            #expect(seen.map(\.operation) == told)
        }
    }

    @Test("a beacon has no changes")
    func beacon() throws {
        let topic = FeedTopic.everything
        let expected = FeedHeader(epoch: Self.epoch, run: Self.run, n: 7, rev: 300, floor: 2)
        let bytes = topic.bytes + expected.encoded
        let generated = WireFeedBatch.with {
            ($0.epoch, $0.run, $0.n, $0.rev, $0.floor) = (Self.epoch.wire, Self.run.wire, 7, 300, 2)
        }
        #expect(expected.encoded == generated.encoded)
        try bytes.dropFirst(5).withContiguousStorageIfAvailable { bytes in
            let view = try #require(FeedBatchView(UnsafeRawBufferPointer(bytes)))
            #expect(view.header == expected && view.count == 0)
            view.forEach { _, _ in
                Issue.record("a change in a beacon")
                return true
            }
        }
    }

    @Test("hostile bytes are refused or read, and never read beyond their end")
    func hostile() throws {
        var random = SplitMix64(seed: 15)
        let whole = try Self.message(.everything, [.added, .left, .entered, .changed], n: 9).dropFirst(5)
        var (read, refused) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = Array(whole)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                case 1: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...9, using: &random)))
                default:
                    bytes.insert(
                        .random(in: 0...255, using: &random), at: Int.random(in: bytes.indices, using: &random))
                }
            }
            bytes.withUnsafeBytes { bytes in
                guard let view = FeedBatchView(bytes) else { return refused += 1 }
                var count = 0
                view.forEach { header, _ in
                    count += 1
                    return header.n <= view.header.n
                }
                #expect(count == view.count)
                read += 1
            }
        }
        #expect(read > 1_000 && refused > 1_000)
    }

    @Test("more changes than numbers, or another number of operations, is no batch")
    func impossible() throws {
        var wire = WireFeedBatch.with {
            ($0.epoch, $0.run, $0.n, $0.rev) = (Self.epoch.wire, Self.run.wire, 2, 5)
            $0.changes = [WireChange(), WireChange()]
        }
        func isBatch() throws -> Bool {
            try (wire.serializedBytes() as [UInt8]).withUnsafeBytes { FeedBatchView($0) != nil }
        }
        #expect(try isBatch())
        wire.n = 1
        #expect(try !isBatch())
        wire.n = 2
        wire.operations = [.entered]
        #expect(try !isBatch())
        wire.operations = [.entered, .left]
        #expect(try isBatch())
        wire.run = wire.run.dropLast()
        #expect(try !isBatch())
    }
}
