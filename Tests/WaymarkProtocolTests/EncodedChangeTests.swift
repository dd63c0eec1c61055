// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing

@testable import WaymarkProtocol

@Suite("An encoded change", .computing)
struct EncodedChangeTests {
    private func landmark(_ random: inout SplitMix64) -> WireLandmark {
        let texts = ["", "a", "Sydney Opera House", "Patiāla", String(repeating: "x", count: 200)]
        func text() -> String { texts[Int(random.next() % UInt64(texts.count))] }
        func id() -> Data { UUIDv7(high: random.next(), low: random.next()).wire }
        return .with {
            $0.id = id()
            $0.name = text()
            $0.lat = 90 * random.unit()
            $0.lng = random.next() % 4 == 0 ? 0 : 180 * random.unit()
            ($0.kind, $0.link, $0.user) = (text(), text(), text())
            if random.next() % 2 == 0 {
                $0.source.name = text()
                $0.source.key = text()
            }
            if random.next() % 2 == 0 { $0.rating = random.next() % 2 == 0 ? 0 : 4 }
            for _ in 0..<random.next() % 3 {
                $0.notes.append(.with { ($0.id, $0.text, $0.user, $0.at) = (id(), text(), text(), random.next()) })
            }
            ($0.version, $0.rev, $0.created, $0.updated) = (random.next() % 3, random.next(), 7, random.next() % 2)
        }
    }

    private func sample(_ random: inout SplitMix64) -> WireChange {
        .with {
            $0.rev = 1 + random.next() % WaymarkProtocol.latestRevision
            $0.at = random.next() % 2
            $0.operation = [.added, .changed, .removed, .noted][Int(random.next() % 4)]
            $0.user = ["", "bea"][Int(random.next() % 2)]
            $0.landmark = landmark(&random)
            if random.next() % 2 == 0 { $0.before = landmark(&random) }
        }
    }

    private func check(_ received: EncodedChange, _ wire: WireChange, _ bytes: [UInt8]) throws {
        #expect(received.rev == wire.rev && received.operation == Change.Operation(wire.operation), "\(bytes)")
        // As bytes: a broken number may be none, which is not even itself.
        #expect(try WireChange(serializedBytes: received.bytes).encoded == wire.encoded, "\(bytes)")
        let landmark = received.withLandmark { [UInt8]($0) }
        #expect(try WireLandmark(serializedBytes: landmark).encoded == wire.landmark.encoded, "\(bytes)")
        for filter in [FeedFilter.everything, FeedFilter(kinds: ["a"]), FeedFilter(operations: [.noted])] {
            let (ours, theirs) = (try? filter.operation(of: received), try? filter.operation(of: wire))
            #expect(ours == theirs, "\(bytes)")
        }
    }

    @Test("what storage encodes is left as it is, and its landmark is lent byte for byte")
    func encoded() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            let wire = sample(&random)
            let bytes: [UInt8] = try wire.serializedBytes()
            let received = try #require(EncodedChange(bytes))
            #expect(received.bytes == bytes)
            #expect(try received.withLandmark { [UInt8]($0) } == wire.landmark.serializedBytes())
            try check(received, wire, bytes)
        }
    }

    @Test("what is encoded in another way is brought to the way of the generated code")
    func others() throws {
        let change = WireChange.with {
            $0.rev = 7
            $0.operation = .added
            $0.landmark.id = UUIDv7(high: 1, low: 2).wire
            $0.landmark.name = "Bondi"
        }
        let bytes: [UInt8] = try change.serializedBytes()
        // A second landmark, merged with the first; a field of a later version in the change; one in the landmark.
        let merged: [UInt8] = bytes + [0x2a, 3, 0x2a, 1, 0x78]
        let later: [UInt8] = bytes + [0xf8, 0x07, 1]
        var odd = change
        odd.landmark = try WireLandmark(serializedBytes: try change.landmark.serializedBytes() + [0xf8, 0x07, 1])
        let laterWithin: [UInt8] = try odd.serializedBytes()
        for bytes in [merged, later, laterWithin] {
            let received = try #require(EncodedChange(bytes))
            #expect(try received.bytes == WireChange(serializedBytes: bytes).encoded)
            try check(received, try WireChange(serializedBytes: bytes), bytes)
        }
        #expect(try EncodedChange(merged)?.subjects.get().after.kind == "x")
        #expect(EncodedChange(Array(bytes.dropLast())) == nil && EncodedChange([0xff]) == nil)
        var unknown = change
        unknown.operation = .UNRECOGNIZED(77)
        #expect(EncodedChange(try unknown.serializedBytes())?.operation == nil)
        let filter = FeedFilter(kinds: ["a"])
        #expect(throws: InvalidInput.self) { try filter.operation(of: #require(EncodedChange(unknown.encoded))) }
    }

    @Test("a revision that no change can have is none", arguments: [0, WaymarkProtocol.latestRevision + 1, .max])
    func impossible(_ rev: UInt64) throws {
        var random = SplitMix64(seed: 3)
        var change = sample(&random)
        change.rev = rev
        #expect(EncodedChange(try change.serializedBytes()) == nil)
        // As the generated code reads it.
        #expect(EncodedChange(try change.serializedBytes() + [0xf8, 0x07, 1]) == nil)
    }

    @Test("of broken bytes it says what the generated code says")
    func mutations() throws {
        var random = SplitMix64(seed: 2)
        var (refused, asItCame, read) = (0, 0, 0)
        for _ in 0..<15_000 {
            var bytes: [UInt8] = try sample(&random).serializedBytes()
            try random.damage(&bytes) { try sample(&$0).serializedBytes() }
            let received = EncodedChange(bytes)
            let wire = try? WireChange(serializedBytes: bytes)
            let isPossible = wire.map { 1...WaymarkProtocol.latestRevision ~= $0.rev } ?? false
            #expect((received != nil) == isPossible, "\(bytes)")
            guard let received, let wire else {
                refused += 1
                continue
            }
            if received.bytes == bytes { asItCame += 1 } else { read += 1 }
            try check(received, wire, bytes)
        }
        #expect(refused > 1_000 && asItCame > 3_000 && read > 300)
    }
}

/// The same by the generated code.
extension FeedFilter {
    fileprivate func operation(of wire: WireChange) throws -> FeedOperation? {
        guard let operation = Change.Operation(wire.operation) else { return nil }
        if isEmpty { return FeedOperation(operation) }
        return self.operation(
            of: operation, before: wire.hasBefore ? try FilterSubject(generated: wire.before) : nil,
            after: try FilterSubject(generated: wire.landmark))
    }
}

extension FilterSubject {
    fileprivate init(generated wire: WireLandmark) throws {
        self.init(
            id: try UUIDv7(wire: wire.id, "the landmark's id"),
            coordinate: try Coordinate(wireLatitude: wire.lat, longitude: wire.lng), kind: wire.kind, user: wire.user,
            source: wire.source.name)
    }
}
