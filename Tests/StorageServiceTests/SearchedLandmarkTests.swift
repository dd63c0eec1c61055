// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageRules

@Suite("What the text search reads of a change", .computing)
struct SearchedLandmarkTests {
    private static func landmark() throws -> Landmark {
        Landmark(
            id: UUIDv7(high: 3, low: 4), name: "Patiāla", coordinate: try Coordinate(latitude: 30, longitude: 76),
            attributes: Attributes(kind: "city", link: "x"), user: "Bea", source: SourceKey(name: "cities", key: "9"),
            notes: [
                Note(id: UUIDv7(high: 5, low: 6), text: "Salt water", user: "Giulia", at: 1),
                Note(id: UUIDv7(high: 7, low: 8), text: "Ünder", user: "Ö", at: 2),
            ])
    }

    private static func change(_ operation: Change.Operation = .added) throws -> [UInt8] {
        let landmark = try landmark()
        let record = (FilterSubject(landmark), landmark.encoded)
        return EncodedChange(
            rev: 9, at: 1, operation: operation, user: "Bea", after: record, before: operation == .added ? nil : record
        ).bytes
    }

    @Test("it is what the generated code reads")
    func same() throws {
        for operation in Change.Operation.allCases {
            try Self.change(operation).withUnsafeBytes { bytes in
                let found = try SearchedLandmark(change: bytes)
                #expect(found.isRemoved == (operation == .removed))
                let source = try #require(found.source)
                #expect(found.id == UUIDv7(high: 3, low: 4))
                #expect(
                    try [found.name, found.kind, found.user, source].map { try SearchedLandmark.string($0) }
                        == ["Patiāla", "city", "Bea", "cities"])
                #expect(found.notes == "Giulia Salt water\nÖ Ünder")
            }
        }
    }

    @Test("what is cut or overwritten is read or refused, and never read past its end")
    func damaged() throws {
        let whole = try Self.change()
        for count in 0..<whole.count {
            // On the heap and of exactly this size.
            let part = [UInt8](whole[..<count])
            let error = #expect(throws: EngineError.self) {
                try part.withUnsafeBytes { try SearchedLandmark(change: $0) }
            }
            #expect(error == .corrupted("a change cannot be read") || error == SearchedLandmark.unreadable)
        }
        let record = [UInt8](try Self.landmark().encoded.dropLast())
        #expect(throws: SearchedLandmark.unreadable) { try record.withUnsafeBytes { _ = try SearchedLandmark($0) } }
        var random = SplitMix64(seed: 3)
        for _ in 0..<20_000 {
            var damaged = whole
            damaged[Int(random.next() % UInt64(whole.count))] = UInt8(truncatingIfNeeded: random.next())
            damaged.withUnsafeBytes { bytes in
                // Whether it is refused depends on what was hit.
                _ = try? SearchedLandmark(change: bytes)
            }
        }
    }

    @Test("an operation that no release knows is no change")
    func unknownOperation() throws {
        let bytes: [UInt8] = try WireChange.with {
            ($0.rev, $0.operation) = (1, .entered)
            $0.landmark = WireLandmark(try Self.landmark())
        }.serializedBytes()
        #expect(throws: EngineError.corrupted("a change cannot be read")) {
            try bytes.withUnsafeBytes { _ = try SearchedLandmark(change: $0) }
        }
    }

    @Test("it takes a third of a core, and more only so that nobody waits for a second")
    func rest() {
        #expect(SearchIndex.rest(after: .milliseconds(1)) == .milliseconds(250))
        #expect(SearchIndex.rest(after: .milliseconds(150)) == .milliseconds(300))
        #expect(SearchIndex.rest(after: .milliseconds(300)) == .milliseconds(300))
        #expect(SearchIndex.rest(after: .seconds(20)) == .milliseconds(25))
    }
}
