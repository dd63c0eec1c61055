// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

/// What is encoded by hand is byte for byte what the generated code makes of it: logs, digests and comparisons with what
/// an earlier release has stored depend on that.
@Suite("Encoded by hand", .computing)
struct EncodedTests {
    private static let texts = [
        "", "a", "Sydney Opera House", "Patiāla", "東京タワー", String(repeating: "x", count: 127),
        String(repeating: "é", count: 64), String(repeating: "long ", count: 4_000),
    ]
    private static let numbers: [UInt64] = [0, 1, 127, 128, 16_383, 16_384, 1_772_357_400_000, .max]
    private static let angles = [0, -0.0, 1.5, -33.8568, 89.999]

    private static func id(_ random: inout SplitMix64) -> UUIDv7 {
        UUIDv7(high: random.next(), low: random.next())
    }

    private static func landmark(_ random: inout SplitMix64) throws -> Landmark {
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let notes = (0..<pick([0, 0, 1, 3])).map { _ in
            Note(id: id(&random), text: pick(texts), user: pick(texts), at: pick(numbers))
        }
        return Landmark(
            id: id(&random), name: pick(texts),
            coordinate: try Coordinate(latitude: pick(angles), longitude: pick(angles)),
            attributes: Attributes(kind: pick(texts), link: pick(texts), rating: pick([nil, 0, 4.5])),
            user: pick(texts),
            source: pick([true, false]) ? SourceKey(name: pick(texts), key: pick(texts)) : nil,
            notes: notes, version: pick(numbers), rev: pick(numbers),
            created: pick(numbers), updated: pick(numbers))
    }

    @Test("landmarks")
    func landmarks() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let landmark = try Self.landmark(&random)
            let generated = WireLandmark(generated: landmark)
            #expect(landmark.encoded == generated.encoded)
            #expect(WireLandmark(landmark) == generated)
            #expect(try Landmark(encoded: landmark.encoded) == landmark)
        }
    }

    @Test("drafts")
    func drafts() throws {
        var random = SplitMix64(seed: 8)
        for _ in 0..<500 {
            let landmark = try Self.landmark(&random)
            guard
                let draft = try? LandmarkDraft(
                    name: "n" + landmark.name.prefix(100), coordinate: landmark.coordinate,
                    attributes: Attributes(
                        kind: String(landmark.kind.prefix(20)), link: String(landmark.link.prefix(300)),
                        rating: landmark.rating))
            else { continue }
            let generated: [UInt8] = try WireLandmarkDraft(draft).serializedBytes()
            #expect(draft.encoded == generated)
        }
    }

    @Test("changes, of whatever is done", arguments: Change.Operation.allCases)
    func changes(operation: Change.Operation) throws {
        var random = SplitMix64(seed: 9)
        for number in Self.numbers {
            let change = Change(
                rev: number, at: number, operation: operation, user: number % 2 == 0 ? "" : "bea",
                landmark: try Self.landmark(&random), before: number > 100 ? try Self.landmark(&random) : nil)
            let generated = WireChange.with {
                ($0.rev, $0.at, $0.operation) = (change.rev, change.at, WireChange.Operation(operation))
                ($0.user, $0.landmark) = (change.user, WireLandmark(generated: change.landmark))
                if let before = change.before { $0.before = WireLandmark(generated: before) }
            }
            let encoded = EncodedChange(
                rev: change.rev, at: change.at, operation: change.operation, user: change.user,
                after: (FilterSubject(change.landmark), change.landmark.encoded),
                before: change.before.map { (FilterSubject($0), $0.encoded) })
            #expect(encoded.bytes == generated.encoded)
            #expect(try WireChange(change) == generated)
            #expect(encoded.withLandmark { [UInt8]($0) } == change.landmark.encoded)
            #expect(try Change(encoded: encoded.bytes) == change)
        }
    }

    @Test("a filter sees in encoded landmarks and changes what it sees in read ones, and refuses what is cut")
    func filtered() throws {
        var random = SplitMix64(seed: 12)
        let area = try Area.circle(at: Coordinate(latitude: 0, longitude: 0), radius: 1_000_000)
        let filters = [
            FeedFilter(area: area), FeedFilter(kinds: ["", "a"]), FeedFilter(users: ["Patiāla"]),
            FeedFilter(sources: ["東京タワー", ""]), FeedFilter(operations: [.added, .entered, .left]),
        ]
        for round in 0..<1_000 {
            let operation = Change.Operation.allCases[round % Change.Operation.allCases.count]
            let change = Change(
                rev: 1, at: 1, operation: operation, user: "", landmark: try Self.landmark(&random),
                before: operation == .added ? nil : try Self.landmark(&random))
            let bytes = try WireChange(change).encoded
            for filter in filters {
                let told = try bytes.withUnsafeBytes { try filter.operation(ofEncoded: $0) }
                let decoded = filter.operation(
                    of: operation, before: change.before.map { FilterSubject($0) },
                    after: FilterSubject(change.landmark))
                #expect(told == decoded)
            }
            let landmark = change.landmark.encoded
            let subject = try landmark.withUnsafeBytes { try FilterSubject(encoded: $0) }
            #expect(subject == FilterSubject(change.landmark))
            // In the middle of the id.
            let cut = [UInt8](landmark.prefix(12))
            #expect(throws: InvalidInput.self) { try cut.withUnsafeBytes { _ = try FilterSubject(encoded: $0) } }
        }
        #expect(throws: InvalidInput.self) {
            try [UInt8]().withUnsafeBytes { _ = try filters[0].operation(ofEncoded: $0) }
        }
    }

    @Test("answers to writes")
    func written() throws {
        var random = SplitMix64(seed: 10)
        for isUnchanged in [true, false] {
            for hasNote in [true, false] {
                let (landmark, note) = (try Self.landmark(&random), Self.id(&random))
                let reply = Written(landmark, note: hasNote ? note : nil, isUnchanged: isUnchanged)
                let generated: [UInt8] = try WireReply.with {
                    $0.written.id = landmark.id.wire
                    $0.written.rev = landmark.rev
                    $0.written.version = landmark.version
                    if hasNote { $0.written.note = note.wire }
                    $0.written.unchanged = isUnchanged
                }.serializedBytes()
                #expect(reply.encoded == generated)
            }
        }
    }

    @Test("headers of the feed")
    func headers() throws {
        var random = SplitMix64(seed: 11)
        for number in Self.numbers {
            let (epoch, run) = (Self.id(&random), Self.id(&random))
            let header = FeedHeader(epoch: epoch, run: run, n: number, rev: number / 2, floor: number / 3)
            let generated: [UInt8] = try WireFeedBatch.with {
                ($0.epoch, $0.run, $0.n, $0.rev, $0.floor) = (epoch.wire, run.wire, number, number / 2, number / 3)
            }.serializedBytes()
            #expect(header.encoded == generated)
            #expect(generated.withUnsafeBytes { FeedHeader(encoded: $0) } == header)
            #expect([UInt8](generated.dropFirst()).withUnsafeBytes { FeedHeader(encoded: $0) } == nil)
            #expect([UInt8](generated.prefix(30)).withUnsafeBytes { FeedHeader(encoded: $0) } == nil)
        }
    }
}

extension WireLandmark {
    /// The landmark as the generated code holds it, field by field.
    fileprivate init(generated landmark: Landmark) {
        self.init()
        (id, name) = (landmark.id.wire, landmark.name)
        (lat, lng) = (landmark.coordinate.latitude, landmark.coordinate.longitude)
        (kind, link, user) = (landmark.kind, landmark.link, landmark.user)
        if let value = landmark.rating { rating = value }
        if let from = landmark.source { source = .with { ($0.name, $0.key) = (from.name, from.key) } }
        notes = landmark.notes.map { note in
            .with { ($0.id, $0.text, $0.user, $0.at) = (note.id.wire, note.text, note.user, note.at) }
        }
        (version, rev, created, updated) = (landmark.version, landmark.rev, landmark.created, landmark.updated)
    }
}
