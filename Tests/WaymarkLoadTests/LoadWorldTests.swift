// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkLoad

@Suite("Generated worlds", .computing)
struct LoadWorldTests {
    private func positions(_ seed: UInt64, _ stream: UInt64, around: Coordinate? = nil, _ count: Int = 2_000)
        -> [Coordinate]
    {
        var world = LoadWorld(seed: seed, stream: stream, around: around)
        return (0..<count).map { _ in world.position() }
    }

    @Test("a seed repeats itself, and other streams of it are other places in the same cities")
    func seeds() {
        let (one, other) = (positions(1, 1), positions(1, 2))
        #expect(positions(1, 1) == one && one != other && positions(2, 1) != one)
        // Of the greatest city each has hundreds; without clusters two would hardly ever be 5 km apart.
        func pairs(_ left: [Coordinate], _ right: [Coordinate]) -> Int {
            left.prefix(200).reduce(0) { sum, place in
                sum + right.prefix(200).count { Geodesic.distance(from: place, to: $0) < 20_000 }
            }
        }
        #expect(pairs(one, other) > 100)
        #expect(pairs(one, positions(2, 1)) < 20)
    }

    @Test("around a place they are around it")
    func around() throws {
        let place = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        let distances = positions(1, 1, around: place).map { Geodesic.distance(from: place, to: $0) }
        #expect(distances.allSatisfy { $0 < 60_000 } && distances.count { $0 < 12_000 } > 800)
    }

    @Test("an ingest of a set has all its keys once, and the last request the rest")
    func rows() throws {
        var operation = IngestOperation(source: "s", rows: 100, around: nil, seed: 1, run: "", of: 250)
        var keys: Set<String> = []
        var counts: [Int] = []
        for number in UInt64(1)...3 {
            var body: [UInt8] = []
            operation.append(number, to: &body)
            let request = try WireRequest(serializedBytes: body)
            counts.append(request.ingest.rows.count)
            keys.formUnion(request.ingest.rows.map(\.key))
        }
        #expect(counts == [100, 100, 50] && keys.count == 250)
    }

    @Test("operations come by their weights, and each answer is judged by its own")
    func mix() throws {
        let near = ReadOperation.near(limit: 1, radius: nil, around: nil, seed: 1)
        let write = WriteOperation(around: nil, seed: 1, run: "r")
        let mix = OperationMix([WeightedOperation(near, weight: 3), WeightedOperation(write)], seed: 5)
        var writes = 0
        let written: [UInt8] = try WireReply.with { $0.written.rev = 1 }.serializedBytes()
        for number in UInt64(1)...4_000 {
            mix.prepare(number)
            let drawn = mix.part
            let request = try WireRequest(serializedBytes: mix.body)
            var isWrite = false
            if case .add? = request.command { isWrite = true }
            writes += isWrite ? 1 : 0
            // However many were drawn since, the answer is of its own.
            let told = try #require(mix.read(sequence: mix.sequence(number + 1 << 40, part: drawn)))
            #expect(told.number == number + 1 << 40 && told.part == (isWrite ? 1 : 0))
            let fault = written.withUnsafeBytes { mix.fault(told.part, ReplyReader($0)) }
            #expect((fault == nil) == isWrite)
        }
        #expect(mix.read(sequence: 5 << 8 | 2) == nil, "there is no third operation")
        #expect(abs(writes - 1_000) < 150)
    }

    @Test("what was prepared is what is sent, and sent again when the socket did not take it")
    func prepared() {
        let mix = OperationMix(
            [WeightedOperation(WriteOperation(around: nil, seed: 1, run: "r"))], seed: 5)
        mix.prepare(1)
        let first = mix.body
        mix.prepare(1)
        #expect(!first.isEmpty && mix.body == first)
        mix.prepare(2)
        mix.prepare(2)
        let second = mix.body
        let other = OperationMix(
            [WeightedOperation(WriteOperation(around: nil, seed: 1, run: "r"))], seed: 5)
        other.prepare(1)
        #expect(other.body == first && second != first)
        other.prepare(2)
        #expect(other.body == second)
    }

    @Test("each write has a name of its own and its number in it, and lies near the others of its place")
    func writes() throws {
        let operation = WriteOperation(around: nil, seed: 3, run: "word42")
        var latitudes: [Double] = []
        for number in [1, 9, 10, 4_711, 16_385, 32_769, 9_999_999_999] as [UInt64] {
            var body: [UInt8] = [7]
            operation.append(number, to: &body)
            let draft = try WireRequest(serializedBytes: Array(body.dropFirst())).add.draft
            let digits = String(repeating: "0", count: 10 - "\(number)".count) + "\(number)"
            #expect(draft.name.hasSuffix(" \(digits) word42"), "\(draft.name)")
            #expect(LoadName.kinds.contains(draft.attributes.kind) && abs(draft.lat) <= 90 && abs(draft.lng) <= 180)
            if number % 16_384 == 1 { latitudes.append(draft.lat) }
        }
        // The same request of the pool each time, and another place each time.
        #expect(latitudes.count == 3 && Set(latitudes).count == 3)
        #expect(latitudes.allSatisfy { abs($0 - latitudes[0]) < 0.001 })
    }

    @Test("which request is answered is read however the header's fields lie, and of another client's never")
    func header() throws {
        let client = (1...16).map { UInt8($0) }
        let id = try #require(UUIDv7(bytes: client))
        func read(_ bytes: [UInt8]) -> UInt64? { bytes.withUnsafeBytes { ServicePort.sequence($0, for: id) } }
        let wire = WireReplyHeader.with {
            ($0.client, $0.sequence, $0.ageMs) = (Data(client), 300, 7)
            $0.position.rev = 9
        }
        let inOrder: [UInt8] = try wire.serializedBytes()
        #expect(read(inOrder) == 300)
        #expect(read([0x20, 7, 0x10, 0xac, 2, 0x0a, 16] + client) == 300)
        #expect(read(WireReplyHeader.with { ($0.client, $0.sequence) = (Data(client.reversed()), 300) }.bytes) == nil)
        #expect(read(WireReplyHeader.with { $0.client = Data(client) }.bytes) == nil)
        #expect(read([0x0a, 16] + client + [0x10, 0x80]) == nil)
        #expect(read(Array(inOrder.prefix(12))) == nil && read([]) == nil)
    }
}

extension WireReplyHeader {
    fileprivate var bytes: [UInt8] { (try? serializedBytes()) ?? [] }
}
