// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Hostile input at a port", .inTurn)
struct HostileTests {
    static func counter(_ name: String, _ counters: [ServiceCounter]?) -> UInt64 {
        guard let counter = counters?.first(where: { $0.name == name }) else {
            // Zero would agree with whoever expects nothing.
            Issue.record("no counter is called \(name)")
            return 0
        }
        return counter.value
    }

    @Test("malformed frames are counted, answered if possible, and do not disturb an honest client")
    func frames() async throws {
        try await withPair(.tcp) { pair, client in
            let added = try await client.add(WriteTests.draft())
            for endpoint in [pair.endpoint, pair.storageEndpoint] {
                let peer = RawPeer()
                try await peer.open(endpoint, context: pair.context)
                var random = SplitMix64(seed: 11)
                try await peer.send([[]])
                try await peer.send([[0x57, 0x4d]])
                try await peer.send([[UInt8](repeating: 0, count: 100)])
                try await peer.send((0..<64).map { _ in [UInt8(truncatingIfNeeded: random.next())] })
                for _ in 0..<200 {
                    let frames = (0..<(1 + random.next() % 4)).map { _ in
                        (0..<(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                    }
                    try await peer.send(frames)
                }
                // A message that begins like a request and is malformed gets an answer.
                let signature = Signature(.request).bytes
                try await peer.send([signature])
                #expect(try RawPeer.read(try await peer.receive()).1.failure.code == 400)
                try await peer.send([signature, [0xff, 0xff], []])
                #expect(try RawPeer.read(try await peer.receive()).1.failure.code == 400)
                try await peer.send([signature, try RawPeer.header(1).serializedBytes(), [0xff, 0xff]])
                #expect(try RawPeer.read(try await peer.receive()).1.failure.code == 400)
                try await peer.send([signature, try RawPeer.header(2).serializedBytes(), []])
                #expect(try RawPeer.read(try await peer.receive()).1.failure.code == 501)
                try await peer.send([Signature(.request, version: 9).bytes, [], []])
                #expect(try RawPeer.read(try await peer.receive()).1.failure.code == 426)
                await peer.close()
            }
            #expect(try await client.show(added.id).landmark.name == "Bondi Beach")
            #expect(Self.counter("requests_malformed", try await client.status().query?.counters) >= 200)
            #expect(Self.counter("requests_malformed", try await storageStatus(client).counters) >= 200)
        }
    }

    @Test("a write that a query service forwards unread is decoded by storage, with the meaning of its field")
    func passedOn() async throws {
        try await withPair(.tcp) { pair, client in
            _ = try await client.add(WriteTests.draft())
            // The peer names no position, so this client waits until the query service has the landmark.
            #expect(try await client.list(.byName).hits.count == 1)
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            let draft = try WriteTests.draft()
            func ask(_ sequence: UInt64, _ body: [UInt8]) async throws -> WireReply {
                try await peer.send([
                    Signature(.request).bytes, try RawPeer.header(sequence).serializedBytes(), body,
                ])
                return try RawPeer.read(try await peer.receive()).1
            }
            func isWritten(_ sequence: UInt64, _ body: [UInt8]) async throws -> Bool {
                if case .written? = try await ask(sequence, body).result { true } else { false }
            }
            let add: [UInt8] = try WireRequest.with {
                $0.add = .with { $0.draft = WireLandmarkDraft(draft) }
            }.serializedBytes()
            let near: [UInt8] = try WireRequest.with { $0.near = .with { $0.limit = 1_000 } }.serializedBytes()
            // The field `add` with three meaningless bytes.
            #expect(try await ask(1, [0xf2, 0x01, 3, 0xff, 0xff, 0xff]).failure.code == 400)
            #expect(try await ask(2, add.dropLast(1)).failure.code == 400)
            // Of two commands the last one counts, for the query service and for storage.
            #expect(try await ask(3, add + near).hits.hits.count == 1)
            #expect(try await isWritten(4, near + add))
            // An unknown field changes nothing.
            #expect(try await isWritten(5, add + [0xd2, 0x2d, 1, 0]))
            #expect(try await isWritten(6, add))
            #expect(try await storageStatus(client).head == 4)
            await peer.close()
        }
    }

    @Test("bytes that are not ZeroMQ do no harm and are counted")
    func garbage() async throws {
        try await withPair(.tcp) { pair, client in
            var random = SplitMix64(seed: 5)
            for endpoint in [pair.endpoint, pair.storageEndpoint, pair.changesEndpoint] {
                for size in [1, 10, 64, 4_096] {
                    try RawTCP.send((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }, to: endpoint)
                }
                try RawTCP.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), to: endpoint)
            }
            _ = try await client.add(WriteTests.draft())
            var failed: UInt64 = 0
            while failed == 0 { failed = Self.counter("handshakes_failed", try await client.status().query?.counters) }
            #expect(failed > 0)
        }
    }

    @Test("a message over the limit closes only its sender's connection")
    func tooLarge() async throws {
        try await withPair(.tcp) { pair, client in
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            do { try await sendTooLarge(peer) } catch {
                // The actor's sockets must be closed on its own thread in any case.
                await peer.close()
                throw error
            }
            _ = try await client.add(WriteTests.draft())
            await peer.close()
        }
    }

    private func sendTooLarge(_ peer: RawPeer) async throws {
        // A message of the greatest size is read, and refused for its contents.
        var body = [UInt8](repeating: 0xff, count: WaymarkProtocol.messageBytes)
        try await peer.send([Signature(.request).bytes, RawPeer.header(1).serializedBytes(), body])
        #expect(try RawPeer.read(try await peer.receive()).1.failure.code == 400)
        // A message one byte larger is neither read nor answered.
        body.append(0xff)
        try await peer.send([Signature(.request).bytes, RawPeer.header(2).serializedBytes(), body])
        try await peer.disconnected()
        let request = WireRequest.with { $0.hello = WireHello() }
        #expect(try await peer.ask(request, RawPeer.header(3)).0.sequence == 3)
    }

    @Test("senseless limits of pages and values are refused")
    func limits() async throws {
        try await withPair { pair, client in
            let here = try Coordinate(latitude: 0, longitude: 0)
            #expect(try await WriteTests.refusal { _ = try await client.near(here, limit: 1_001) } == .invalid)
            #expect(try await WriteTests.refusal { _ = try await client.near(here, radius: -1) } == .invalid)
            #expect(try await WriteTests.refusal { _ = try await client.near(here, radius: .nan) } == .invalid)
            #expect(try await WriteTests.refusal { _ = try await client.near(here, after: .init([1, 2])) } == .invalid)
            #expect(try await WriteTests.refusal { _ = try await client.search("  ") } == .invalid)
            let long = String(repeating: "a", count: 201)
            #expect(try await WriteTests.refusal { _ = try await client.search(long) } == .invalid)
            #expect(try await client.search("\"AND* (NEAR) -x :y").hits.isEmpty)
        }
    }

    @Test("a request whose client has stopped waiting is dropped and counted")
    func expired() async throws {
        try await withPair(.ipc) { pair, client in
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            let request = WireRequest.with { $0.hello = WireHello() }
            var header = RawPeer.header(1)
            header.sentMs = 1_000_000
            _ = try await peer.ask(request, header)
            // By its sender's clock this request was in flight ten minutes longer than the first.
            header.sequence = 2
            header.sentMs = 400_000
            try await peer.send([Signature(.request).bytes, header.serializedBytes(), request.serializedBytes()])
            header.sequence = 3
            header.sentMs = 1_000_100
            let (answer, _) = try await peer.ask(request, header)
            #expect(answer.sequence == 3)
            #expect(Self.counter("requests_expired", try await client.status().query?.counters) == 1)
            await peer.close()
        }
    }

    @Test("a header that would exceed a frame when forwarded is refused at once, only for its sender")
    func hugeHeader() async throws {
        try await withPair(.tcp) { pair, client in
            let peer = RawPeer()
            try await peer.open(pair.endpoint, context: pair.context)
            var header = RawPeer.header(1)
            header.user = String(repeating: "u", count: WaymarkProtocol.messageBytes - 60)
            let body = try WireRequest.with { $0.sources = WireSources() }.serializedBytes() as [UInt8]
            try await peer.send([Signature(.request).bytes, header.serializedBytes(), body])
            #expect(try RawPeer.read(try await peer.receive()).1.failure.code == ErrorCode.badFrame.rawValue)
            // The largest header allowed: it grows when it is forwarded, and must not be refused then.
            header.user = ""
            header.sentMs = 0
            header.timeoutMs = 0
            let room = WaymarkProtocol.headerBytes - (try header.serializedBytes() as [UInt8]).count - 3
            header.user = String(repeating: "u", count: room)
            #expect((try header.serializedBytes() as [UInt8]).count == WaymarkProtocol.headerBytes)
            try await peer.send([Signature(.request).bytes, header.serializedBytes(), body])
            let (answer, reply) = try RawPeer.read(try await peer.receive())
            #expect(answer.sequence == 1)
            if case .sources? = reply.result {} else { Issue.record("\(reply)") }
            _ = try await client.add(WriteTests.draft())
            await peer.close()
        }
    }

}
