// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import Testing
import WaymarkProtocol

/// The vectors of `Protocol.md`, part Vectors: whoever writes a peer in another language checks against the same.
@Suite("Test vectors of the protocol", .timeLimit(.minutes(1)))
struct VectorTests {
    static let client = "0193 3c6e 7f3a 7c21 9b0e 2f6d 8a41 c7e5"
    static let epoch = "0193 3c6e 0000 7000 8000 0000 0000 0001"
    static let run = "0193 3c6e 0000 7000 8000 0000 0000 0002"

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
        #expect(Self.hex(Signature(.feed).bytes) == "574d0146")
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
                == Self.plain("5214 09 8d28ed0dabed40c0 11 211ff46ce3e66240 1814".replacing("8d28ed0dabed40c0", with: Self.double(-33.8568)).replacing("211ff46ce3e66240", with: Self.double(151.2153))))
    }

    static func double(_ value: Double) -> String {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { hex(Array($0)) }
    }

    @Test("V4: a beacon and the topic of everything")
    func beacon() throws {
        let header = FeedHeader(
            epoch: try #require(UUIDv7(bytes: Self.bytes(Self.epoch))),
            run: try #require(UUIDv7(bytes: Self.bytes(Self.run))), n: 7, rev: 300, floor: 1)
        let expected = "0a10 01933c6e000070008000000000000001 1210 01933c6e000070008000000000000002 1807 20ac02 2801"
        #expect(Self.hex(header.encoded) == Self.plain(expected))
        #expect(FeedHeader(encoded: header.encoded) == header)
        #expect(Self.hex(FeedTopic.everything.bytes) == "574d014600")
        #expect(FeedTopic(FeedTopic.everything.bytes) == .everything)
    }

    @Test(
        "V5: what is no topic of version 1", arguments: ["", "574d0146", "574d01460100", "574d014601", "574d024600"])
    func noTopic(hex: String) {
        #expect(FeedTopic(Self.bytes(hex)) == nil)
    }

    @Test("V6: a refusal")
    func refusal() throws {
        let reply = WireReply.with { $0.failure = ServiceError(.notFound, "No.").wire }
        #expect(Self.hex(try reply.serializedBytes() as [UInt8]) == Self.plain("0a08 089403 1203 4e6f2e"))
    }

    @Test("V7: what is no header of a feed", arguments: ["", "0a00", "ffffffff", "0a10"])
    func noHeader(hex: String) {
        #expect(FeedHeader(encoded: Self.bytes(hex)) == nil)
    }
}
