// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkTransport

/// Reading the kind and the error code of encoded requests and replies.
@Suite(.inShortTurn)
struct RequestTallyTests {
    @Test(arguments: RequestKind.allCases.filter { $0 != .unknown })
    func kindsAreFieldsOfTheProtocol(kind: RequestKind) throws {
        let tag = UInt32(kind.rawValue) << 3 | 2
        let bytes: [UInt8] = tag < 128 ? [UInt8(tag), 0] : [UInt8(tag & 0x7f | 0x80), UInt8(tag >> 7), 0]
        let request = try WireRequest(serializedBytes: bytes)
        #expect(request.command != nil)
        #expect(request.textFormatString().hasPrefix(kind.name + " "))
        #expect(RequestKind(body: try request.serializedBytes()) == kind)
    }

    @Test("of two commands the last one counts, as in the generated code, and unknown fields change nothing")
    func lastCommand() throws {
        let (near, list) = (WireRequest.with { $0.near = WireNear() }, WireRequest.with { $0.list = WireList() })
        let unknown: [UInt8] = [0xd2, 0x2d, 1, 0]
        for (parts, kind): ([[UInt8]], RequestKind) in [
            ([near.encoded, list.encoded], .list), ([list.encoded, near.encoded, unknown], .near),
            ([unknown, list.encoded], .list),
        ] {
            let body = Array(parts.joined())
            #expect(RequestKind(body: body) == kind)
            #expect(try WireRequest(serializedBytes: body).textFormatString().hasPrefix(kind.name + " "))
        }
    }

    private static let strange: [[UInt8]] = [
        [], [0x08, 1], [0x80], [0x80, 0x80, 0x80], [0xfa, 0x7f, 0], [0x0b], [UInt8](repeating: 0xff, count: 9),
    ]

    @Test(arguments: strange)
    func whatIsNoRequestIsUnknown(body: [UInt8]) {
        #expect(RequestKind(body: body) == .unknown)
    }

    @Test(arguments: ErrorCode.allCases)
    func codesAreReadOffReplies(code: ErrorCode) {
        for message in ["", "Short.", String(repeating: "long ", count: 4_000)] {
            #expect(ErrorCode(ofReply: WireReply(ServiceError(code, message, retryAfter: 5)).encoded) == code)
        }
    }

    @Test
    func whatIsNoFailureIsDone() {
        #expect(ErrorCode(ofReply: []) == nil)
        #expect(ErrorCode(ofReply: WireReply.with { $0.hits = WireHits() }.encoded) == nil)
        #expect(ErrorCode(ofReply: WireReply.with { $0.sources = WireSourceList() }.encoded) == nil)
        // A failure with an unknown code, from storage of a later release.
        #expect(ErrorCode(ofReply: WireReply.with { $0.failure = .with { $0.code = 499 } }.encoded) == .internal)
        #expect(ErrorCode(ofReply: [0x0a]) == .internal)
        #expect(ErrorCode(ofReply: [0x0a, 0x80, 0x80]) == .internal)
    }

    @Test
    func countsByKindAndResult() {
        var tally = RequestTally()
        for _ in 0..<3 { tally.count(.near, nil, nanoseconds: 60_000) }
        tally.count(.near, .storageFull, nanoseconds: 20_000_000_000)
        tally.count(.compact, .badFrame, nanoseconds: 50_000)
        #expect(tally.lines.map(\.count) == [3, 1, 1])
        #expect(tally.lines.map(\.kind) == [.near, .near, .compact])
        #expect(tally.lines.map(\.refusal) == [nil, .storageFull, .badFrame])
        let near = tally.times(of: .near)
        #expect(near.counts[1] == 3 && near.counts.last == 1 && near.counts.reduce(0, +) == 4)
        #expect(near.sum == 20_000_180_000)
        // A value equal to a bound belongs to the bucket below it.
        #expect(tally.times(of: .compact).counts[0] == 1)
    }
}
