// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Testing
import WaymarkProtocol

@testable import WaymarkLoad

@Suite("Generated worlds")
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
            let request = try WireRequest(serializedBytes: operation.body(number))
            counts.append(request.ingest.rows.count)
            keys.formUnion(request.ingest.rows.map(\.key))
        }
        #expect(counts == [100, 100, 50] && keys.count == 250)
    }

    @Test("operations come by their weights, and each answer is judged by its own")
    func mix() throws {
        let near = NearOperation(limit: 1, radius: nil, around: nil, seed: 1)
        let write = WriteOperation(around: nil, seed: 1, run: "r")
        let mix = OperationMix([WeightedOperation(near, weight: 3), WeightedOperation(write)], seed: 5)
        var writes = 0
        let written: [UInt8] = try WireReply.with { $0.written.rev = 1 }.serializedBytes()
        for number in UInt64(1)...4_000 {
            let (drawn, body) = mix.draw(number)
            let request = try WireRequest(serializedBytes: body)
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
        let first = mix.draw(1).body
        #expect(!first.isEmpty && mix.draw(1).body == first)
        mix.prepare(2)
        mix.prepare(2)
        let second = mix.draw(2).body
        let other = OperationMix(
            [WeightedOperation(WriteOperation(around: nil, seed: 1, run: "r"))], seed: 5)
        #expect(other.draw(1).body == first && other.draw(2).body == second && second != first)
    }
}
