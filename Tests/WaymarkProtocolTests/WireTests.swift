// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@Suite("The wire", .computing)
struct WireTests {
    static func landmark() throws -> Landmark {
        Landmark(
            id: UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_8a41_c7e5), name: "Patiāla",
            coordinate: try Coordinate(latitude: 30.339781, longitude: 76.386880),
            attributes: Attributes(kind: "city", link: "www.example.com", rating: 0), user: "Armando",
            source: SourceKey(name: "cities", key: "1260107"),
            notes: [Note(id: UUIDv7(high: 5, low: 6), text: "Two\nlines", user: "Bea", at: 12)], version: 3, rev: 99,
            created: 1, updated: 2)
    }

    @Test("a landmark and a change come back as they were, a rating of 0 and an absent one told apart")
    func roundTrip() throws {
        var landmark = try Self.landmark()
        #expect(try Landmark(WireLandmark(serializedBytes: WireLandmark(landmark).serializedData())) == landmark)
        landmark.rating = nil
        landmark.source = nil
        #expect(try Landmark(WireLandmark(serializedBytes: WireLandmark(landmark).serializedData())) == landmark)
        for operation in Change.Operation.allCases {
            let change = Change(
                rev: 99, at: 5, operation: operation, user: "x", landmark: landmark,
                before: operation == .added ? nil : try Self.landmark())
            let wire = try WireChange(serializedBytes: WireChange(change).serializedData())
            #expect(try Change(encoded: wire.encoded) == change)
        }
    }

    @Test("a longitude is within 180 degrees, and a filter's texts have no NUL")
    func refused() throws {
        for longitude in [180.5, -181, 540, .infinity, .nan] {
            let error = #expect(throws: InvalidInput.self) { try Coordinate(wireLatitude: 1, longitude: longitude) }
            guard case .coordinate? = error else {
                Issue.record("\(longitude): \(String(describing: error))")
                continue
            }
        }
        #expect(try Coordinate(wireLatitude: 1, longitude: -180).longitude == -180)
        let filters: [(WireFilter, String)] = [
            (.with { $0.kind = "a\0" }, "kind"), (.with { $0.kinds = ["a", "\0b"] }, "kind"),
            (.with { $0.user = "\0" }, "user"), (.with { $0.source = "a\0b" }, "source"),
        ]
        for (filter, field) in filters {
            #expect(throws: InvalidInput.nulCharacter(field)) { try LandmarkFilter(filter) }
        }
    }

    @Test("raw messages have the same bytes")
    func rawBytes() throws {
        let landmark = WireLandmark(try Self.landmark())
        let change = WireChange.with {
            $0.rev = 9
            $0.at = 10
            $0.operation = .noted
            $0.user = "x"
            $0.landmark = landmark
            $0.before = landmark
        }
        let raw = try WireRawChange.with {
            $0.rev = 9
            $0.at = 10
            $0.operation = UInt32(WireChange.Operation.noted.rawValue)
            $0.user = "x"
            $0.landmark = try landmark.serializedData()
            $0.before = try landmark.serializedData()
        }
        #expect(try raw.serializedData() == change.serializedData())
        let page = WireReply.with {
            $0.changes.changes = [change, change]
            $0.changes.through = 9
        }
        let readyPage = try WireRawReply.with { reply in
            reply.changes = try .with {
                $0.changes = [try change.serializedData(), try change.serializedData()]
                $0.through = 9
            }
        }
        #expect(try readyPage.serializedData() == page.serializedData())
    }

    @Test("what is no landmark is refused with a reason, not taken for one")
    func notALandmark() throws {
        var wire = WireLandmark(try Self.landmark())
        wire.lat = 91
        #expect(throws: InvalidInput.self) { try Landmark(wire) }
        wire = WireLandmark(try Self.landmark())
        wire.id = Data([1, 2, 3])
        #expect(throws: InvalidInput.self) { try Landmark(wire) }
        var change = WireChange()
        change.operation = .UNRECOGNIZED(77)
        #expect(throws: InvalidInput.self) { try Change(encoded: change.encoded) }
    }

    @Test("an operation that a later version adds is known to be unknown")
    func unknownOperation() {
        #expect(Change.Operation(WireChange.Operation.UNRECOGNIZED(9)) == nil)
        #expect(Change.Operation(WireChange.Operation.unspecified) == nil)
    }

    @Test("cursors come back as they were; other bytes are refused")
    func cursors() throws {
        let id = UUIDv7(high: 7, low: 8)
        for cursor in [
            Cursor.place(try Coordinate(latitude: -33.5, longitude: 180), id), .recent(1 << 40),
            .name("patiala", id), .name("", id), .at(Cursor.latestMoment, .recent(1)),
        ] {
            #expect(try Cursor(encoded: cursor.bytes) == cursor)
        }
        let noCursor = InvalidInput.outOfRange("cursor", "one from an earlier page")
        for broken in [[], [0], [1], [1, 2, 3], [2, 1], [3], [9, 9], [1] + [UInt8](repeating: 0xff, count: 24)] {
            #expect(throws: noCursor) { try Cursor(encoded: broken as [UInt8]) }
        }
        // No answer is of these moments.
        for moment in [0, Cursor.latestMoment + 1, 1 << 63, .max] as [UInt64] {
            #expect(throws: noCursor) { try Cursor(encoded: Cursor.at(moment, .recent(1)).bytes) }
        }
    }

    @Test("errors have one code, one word and come back as they were")
    func errors() {
        #expect(Set(ErrorCode.allCases.map(\.name)).count == ErrorCode.allCases.count)
        for code in ErrorCode.allCases {
            let error = ServiceError(code, "m", retryAfter: 5, floor: 1, head: 2, version: 3)
            #expect(ServiceError(error.wire) == error)
        }
        #expect(ServiceError(WireFailure.with { $0.code = 999 }).code == .internal)
    }
}
