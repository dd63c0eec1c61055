// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import Testing
import WaymarkProtocol

/// Whole messages: a request with its answer, and the change that follows.
extension VectorTests {
    @Test("V8: an add and its answer")
    func addExchange() throws {
        let at = WirePosition.with {
            $0.epoch = Data(Self.bytes(Self.epoch))
            $0.rev = 300
        }
        let header = WireRequestHeader.with {
            $0.client = Data(Self.bytes(Self.client))
            $0.sequence = 2
            $0.sentMs = 1_500
            $0.timeoutMs = 5_000
            $0.user = "ada"
            $0.atLeast = at
        }
        let request = WireRequest.with {
            $0.add.draft = .with {
                $0.name = "Bondi Beach"
                $0.lat = -33.8908
                $0.lng = 151.2743
                $0.attributes.kind = "beach"
            }
            $0.add.note = "Sand."
        }
        try Self.expect(
            header,
            """
            0a10 01933c6e7f3a7c219b0e2f6d8a41c7e5 1002 18dc0b 208827 2a03 616461
               3215 0a10 01933c6e000070008000000000000001 10ac02
            """)
        try Self.expect(
            request,
            """
            f20131 0a28 0a0b 426f6e6469204265616368 11 6ea301bc05f240c0 19 5f29cb10c7e86240 2207 2a05 6265616368
               1205 53616e642e
            """)
        let answer = WireReplyHeader.with {
            $0.client = header.client
            $0.sequence = 2
            $0.position = at
            $0.position.rev = 301
        }
        let written = WireReply.with {
            $0.written.id = Data(Self.bytes(Self.landmark))
            $0.written.rev = 301
            $0.written.version = 1
            $0.written.note = Data(Self.bytes(Self.note))
        }
        try Self.expect(
            answer, "0a10 01933c6e7f3a7c219b0e2f6d8a41c7e5 1002 1a15 0a10 01933c6e000070008000000000000001 10ad02")
        try Self.expect(
            written, "f20129 0a10 01933c6e800070018000000000000003 10ad02 1801 2210 01933c6e800070018000000000000004")
    }

    @Test("V9: a change on the feed")
    func change() throws {
        let header = FeedHeader(
            epoch: try #require(UUIDv7(bytes: Self.bytes(Self.epoch))),
            run: try #require(UUIDv7(bytes: Self.bytes(Self.run))), n: 8, rev: 301)
        let expected = "0a10 01933c6e000070008000000000000001 1210 01933c6e000070008000000000000002 1808 20ad02"
        #expect(Self.hex(header.encoded) == Self.plain(expected))
        #expect(header.encoded.withUnsafeBytes { FeedHeader(encoded: $0) } == header)
        let at: UInt64 = 1_732_000_000_000
        let note = Note(
            id: try #require(UUIDv7(bytes: Self.bytes(Self.note))), text: "Sand.", user: "ada", at: at)
        let landmark = Landmark(
            id: try #require(UUIDv7(bytes: Self.bytes(Self.landmark))), name: "Bondi Beach",
            coordinate: try Coordinate(latitude: -33.8908, longitude: 151.2743), attributes: Attributes(kind: "beach"),
            user: "ada",
            notes: [note], version: 1, rev: 301, created: at, updated: at)
        let change = Change(rev: 301, at: at, operation: .added, user: "ada", landmark: landmark, before: nil)
        try Self.expect(
            WireChange(change),
            """
            08ad02 1080d0fa99b432 1801 2203 616461
               2a77 0a10 01933c6e800070018000000000000003 120b 426f6e6469204265616368 19 6ea301bc05f240c0
               21 5f29cb10c7e86240 2a05 6265616368 3a03 616461
               5225 0a10 01933c6e800070018000000000000004 1205 53616e642e 1a03 616461 2080d0fa99b432
               5801 60ad02 6880d0fa99b432 7080d0fa99b432
            """)
    }

    @Test("V10: hello and welcome")
    func hello() throws {
        let request = WireRequest.with {
            $0.hello = .with {
                $0.minProtocol = 1
                $0.maxProtocol = 1
                $0.agent = "peer 1"
            }
        }
        try Self.expect(request, "0a0c 0801 1001 1a06 706565722031")
        let reply = WireReply.with {
            $0.welcome = .with {
                $0.service = "waymark-query"
                $0.version = "0.1.0"
                $0.protocol = 1
                $0.epoch = Data(Self.bytes(Self.epoch))
                $0.run = Data(Self.bytes(Self.run))
                $0.head = 301
                $0.floor = 1
                $0.changesEndpoint = "tcp://127.0.0.1:7422"
                $0.limits = .with {
                    $0.messageBytes = UInt64(WaymarkProtocol.messageBytes)
                    $0.pageRows = UInt32(WaymarkProtocol.pageRows)
                    $0.ingestRows = UInt32(WaymarkProtocol.ingestRows)
                }
                $0.beaconMs = UInt32(WaymarkProtocol.beaconMilliseconds)
            }
        }
        try Self.expect(
            reply,
            """
            1267 0a0d 7761796d61726b2d7175657279 1205 302e312e30 1801 2210 01933c6e000070008000000000000001
               2a10 01933c6e000070008000000000000002 30ad02 3801 4214 7463703a2f2f3132372e302e302e313a37343232
               4a0b 0880808002 10e807 18e807 50e807
            """)
    }

    @Test("V11: a request for changes")
    func changes() throws {
        let request = WireRequest.with {
            $0.changes.since.epoch = Data(Self.bytes(Self.epoch))
            $0.changes.since.rev = 300
            $0.changes.limit = 100
        }
        try Self.expect(request, "b20119 0a15 0a10 01933c6e000070008000000000000001 10ac02 1064")
    }
}
