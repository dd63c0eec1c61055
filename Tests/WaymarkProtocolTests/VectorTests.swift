// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

/// The vectors of `Protocol.md`, part Vectors: whoever writes a peer in another language checks against the same.
@Suite("Test vectors of the protocol", .computing)
struct VectorTests {
    static let client = "0193 3c6e 7f3a 7c21 9b0e 2f6d 8a41 c7e5"
    static let epoch = "0193 3c6e 0000 7000 8000 0000 0000 0001"
    static let run = "0193 3c6e 0000 7000 8000 0000 0000 0002"
    static let landmark = "0193 3c6e 8000 7001 8000 0000 0000 0003"
    static let note = "0193 3c6e 8000 7001 8000 0000 0000 0004"

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).compactMap { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
        }
    }

    static func hex(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func plain(_ hex: String) -> String { hex.filter { !$0.isWhitespace } }

    @Test("V1: signatures")
    func signatures() {
        #expect(Self.hex(Signature(.request).bytes) == "574d0152")
        #expect(Self.hex(Signature(.answer).bytes) == "574d0141")
        #expect(Self.hex(Signature(.feed, version: FeedTopic.version).bytes) == "574d0246")
        for kind in [Signature.Kind.request, .answer, .feed] {
            #expect(Signature(kind).bytes.withUnsafeBytes { Signature($0) } == Signature(kind))
        }
    }

    @Test(
        "V2: what is no signature",
        arguments: ["", "57", "574d01", "584d0152", "574e0152", "574d0100", "574d01ff", "00000000"])
    func noSignature(hex: String) {
        #expect(Self.bytes(hex).withUnsafeBytes { Signature($0) } == nil)
    }

    @Test("V3: a request for what is near")
    func near() throws {
        let header = WireRequestHeader.with {
            $0.client = Data(Self.bytes(Self.client))
            $0.sequence = 1
            $0.sentMs = 1_000
            $0.timeoutMs = 5_000
        }
        #expect(
            Self.hex(try header.serializedBytes() as [UInt8])
                == Self.plain("0a10 01933c6e7f3a7c219b0e2f6d8a41c7e5 1001 18e807 208827"))
        let request = WireRequest.with {
            $0.near = .with {
                $0.lat = -33.8568
                $0.lng = 151.2153
                $0.limit = 20
            }
        }
        #expect(
            Self.hex(try request.serializedBytes() as [UInt8])
                == Self.plain("5214 09 3d9b559fabed40c0 11 865ad3bce3e66240 1814"))
    }

    @Test("V4: a beacon and the topic of everything")
    func beacon() throws {
        let header = FeedHeader(
            epoch: try #require(UUIDv7(bytes: Self.bytes(Self.epoch))),
            run: try #require(UUIDv7(bytes: Self.bytes(Self.run))), n: 7, rev: 300, floor: 1)
        let expected = "0a10 01933c6e000070008000000000000001 1210 01933c6e000070008000000000000002 1807 20ac02 2801"
        #expect(Self.hex(header.encoded) == Self.plain(expected))
        #expect(header.encoded.withUnsafeBytes { FeedHeader(encoded: $0) } == header)
        #expect(Self.hex(FeedTopic.everything.bytes) == "574d024600")
        #expect(try FeedTopic(FeedTopic.everything.bytes) == .everything)
    }

    @Test(
        "V5: what is no topic",
        arguments: ["", "574d0246", "574d02460100", "574d024601", "574d014600", "574d034600", "574d025200"])
    func noTopic(hex: String) throws {
        #expect(throws: InvalidInput.self) { try FeedTopic(Self.bytes(hex)) }
    }

    @Test("V13: topics of filters")
    func filters() throws {
        let circle = FeedFilter(
            area: try .circle(at: try Coordinate(latitude: -33.8568, longitude: 151.2153), radius: 2_000))
        #expect(
            Self.hex(FeedTopic(carrying: circle).bytes)
                == "574d02461d0a1b093d9b559fabed40c011865ad3bce3e66240190000000000409f40")
        let lists = FeedFilter(kinds: ["park", "beach"], users: ["ana"], operations: [.left, .added])
        #expect(
            Self.hex(FeedTopic(carrying: lists).bytes)
                == "574d0246161a0562656163681a047061726b2203616e613a020106")
    }

    @Test(
        "V14: what is no topic although it can be read as a filter",
        arguments: [
            "574d0246061a01621a0161", "574d0246061a01611a0161", "574d0246031a0142",
            "574d0246140a12090000000000000080190000000000001440",
            "574d024603fa0100",
        ])
    func notCanonical(hex: String) throws {
        #expect(throws: InvalidInput.self) { try FeedTopic(Self.bytes(hex)) }
    }

    @Test("V15: a beacon and a batch")
    func batches() throws {
        let epoch = try #require(UUIDv7(bytes: Self.bytes(Self.epoch)))
        let run = try #require(UUIDv7(bytes: Self.bytes(Self.run)))
        let topic = FeedTopic.everything
        #expect(
            Self.hex(topic.bytes + FeedHeader(epoch: epoch, run: run, n: 7, rev: 300, floor: 1).encoded)
                == Self.plain("574d024600 0a10 \(Self.epoch) 1210 \(Self.run) 1807 20ac02 2801"))
        var batch = FeedBatchWriter()
        for (rev, operation, told) in [(301, .added, .added), (302, .changed, .left)]
            as [(UInt64, Change.Operation, FeedOperation)]
        {
            let wire = WireChange.with { ($0.rev, $0.operation) = (rev, WireChange.Operation(operation)) }
            batch.append(try #require(EncodedChange(wire.encoded)), told)
        }
        #expect(
            Self.hex(batch.message(topic, epoch: epoch, run: run, n: 9))
                == Self.plain(
                    "574d024600 0a10 \(Self.epoch) 1210 \(Self.run) 1809 20ae02 "
                        + "3a05 08ad02 1801 3a05 08ae02 1802 4202 0106"))
    }

    @Test("V6: a refusal")
    func refusal() throws {
        let reply = WireReply.with { $0.failure = ServiceError(.notFound, "No.").wire }
        #expect(Self.hex(try reply.serializedBytes() as [UInt8]) == Self.plain("0a08 089403 1203 4e6f2e"))
    }

    @Test("V7: what is no header of a feed", arguments: ["", "0a00", "ffffffff", "0a10"])
    func noHeader(hex: String) {
        #expect(Self.bytes(hex).withUnsafeBytes { FeedHeader(encoded: $0) } == nil)
    }

    @Test(
        "V12: what is neither a header nor a request",
        arguments: ["ff", "ffffffff", "0a10", "0aff", "5205", "f20102ff"])
    func unreadable(hex: String) {
        #expect(throws: (any Error).self) { try WireRequestHeader(serializedBytes: Self.bytes(hex)) }
        #expect(throws: (any Error).self) { try WireRequest(serializedBytes: Self.bytes(hex)) }
    }

    /// The message is encoded as these bytes, and read from them as it was.
    static func expect<M: SwiftProtobuf.Message & Equatable>(_ message: M, _ expected: String) throws {
        #expect(hex(try message.serializedBytes() as [UInt8]) == plain(expected))
        #expect(try M(serializedBytes: bytes(expected)) == message)
    }
}
