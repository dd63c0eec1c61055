// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Frames that are none, and frames that are too large", .timeLimit(.minutes(5)), .serialized)
struct MalformedTests {
    /// KiB by which a process may grow after the first round has warmed it up.
    private static let growth = 48 * 1_024

    @Test("18 malformed frames, garbage and hostile subscriptions: alive, memory flat, honest clients do not notice")
    func row18() async throws {
        try await withStage { stage in
            try stage.start()
            let client = try await stage.client()
            let (all, pubs) = (try Follower(client), try Follower(client, matching: FilterSpec(kinds: ["pub"])))
            (stage.followers["all"], stage.followers["pubs"]) = (all, pubs)
            try await until("the feeds begin") { all.hasBegun && pubs.hasBegun }
            let programs = [stage.cluster.storage, stage.cluster.queries[0]].compactMap { $0 }
            var warm: [Int] = []
            for round in 0..<4 {
                for endpoint in [stage.cluster.commandEndpoint, stage.cluster.endpoint(0)] {
                    try Self.frames(to: endpoint, seed: UInt64(round))
                }
                try Self.subscriptions(to: stage.cluster.changesEndpoint)
                for endpoint in [
                    stage.cluster.commandEndpoint, stage.cluster.endpoint(0), stage.cluster.changesEndpoint,
                ] { try Self.garbage(to: endpoint, seed: UInt64(round)) }
                // The query service tells of storage what it is told in time.
                var feeds: UInt64?
                try await until("storage tells of itself") {
                    feeds = try? await client.status().storage.counters.first { $0.name == "feed_topics" }?.value
                    return feeds != nil
                }
                #expect(feeds ?? .max <= 4_096)
                for number in 0..<10 {
                    #expect(try await stage.ledger.add(client, kind: number % 2 == 0 ? "pub" : "") != nil)
                }
                if round == 0 { warm = programs.map(\.memory) }
            }
            let memory = programs.map(\.memory)
            for (before, after) in zip(warm, memory) { #expect(after < before + Self.growth) }
            let counters = try await client.status().storage.counters
            func counter(_ name: String) -> UInt64 { counters.first { $0.name == name }?.value ?? 0 }
            #expect(counter("requests_malformed") >= 4 * 100)
            #expect(counter("feed_unknown_topics") >= 4 * 3)
            #expect(counter("feed_refused_topics") >= 10_000 - 4_096)
            #expect(all.lost == 0 && pubs.lost == 0)
            _ = try await stage.judge()
            print("row 18: KiB \(warm) to \(memory); refused topics \(counter("feed_refused_topics"))")
            await client.close()
        }
    }

    private static func frames(to endpoint: String, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        let link = try RawLink(endpoint)
        for count in 0...64 { link.send((0..<max(1, count)).map { _ in count == 0 ? [] : noise(12) }) }
        for _ in 0..<100 { link.send((0..<(1 + random.next() % 5)).map { _ in noise(Int(random.next() % 60)) }) }
        let signature = Signature(.request).bytes
        let header = try RawLink.header(seed + 1)
        let sound: [UInt8] = try WireRequest.with { $0.hello = WireHello() }.serializedBytes()
        // A message in a message, ten thousand times: field 1, and the length of all that is within.
        var nested: [UInt8] = []
        for _ in 0..<10_000 {
            let length = nested.count
            let digits: [UInt8] =
                length < 128
                ? [UInt8(length)]
                : length < 16_384
                    ? [UInt8(length & 127) | 128, UInt8(length >> 7)]
                    : [UInt8(length & 127) | 128, UInt8(length >> 7 & 127) | 128, UInt8(length >> 14)]
            nested = [0x0a] + digits + nested
            if nested.count > 30_000 { break }
        }
        for frames in [
            [signature], [signature, [0xff, 0xff], sound], [signature, header, [0xff, 0xff]],
            [signature, header, [0x0a, 2, 0xc3, 0x28]], [signature, header, nested], [signature, nested, sound],
            [Signature(.request, version: 9).bytes, header, sound], [Signature(.answer).bytes, header, sound],
            [signature, header, sound, sound],
        ] { link.send(frames) }
        // What was sent before has been read when the last is answered; every answer names its error.
        link.send([Signature(.request, version: 7).bytes, [], []])
        var answers = 0
        while let frames = link.receive() {
            guard frames.count == 3, let reply = try? WireReply(serializedBytes: frames[2]) else { continue }
            answers += 1
            if case .failure(let failure)? = reply.result, failure.code == 426, answers > 2 { break }
        }
        #expect(answers > 2)
    }

    private static func subscriptions(to endpoint: String) throws {
        let link = try RawLink(endpoint, as: "SUB")
        // Too long for a topic, not canonical, of another protocol; then more feeds than there may be.
        link.send([[1] + [UInt8](repeating: 0x57, count: 5_000)])
        link.send([[1] + Signature(.feed).bytes + [4, 0x12, 0, 0x12, 0]])
        link.send([[1] + Array("everything".utf8)])
        link.send([[1]])
        for number in 0..<10_000 {
            link.send([[1] + FeedTopic(carrying: FeedFilter(kinds: ["k\(number)"])).bytes])
        }
        // Each new feed is answered with a beacon: whoever is answered has been read.
        for _ in 0..<3_000 { if link.receive() == nil { break } }
    }

    private static func garbage(to endpoint: String, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for size in [1, 9, 64, 65, 5_000] {
            try RawLink(endpoint, as: nil).write((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
        try RawLink(endpoint, as: nil).write(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    }

    @Test("19 a frame and a record at the limit, one byte less and one more, and 2 GiB announced: others go on")
    func row19() async throws {
        try await withStage { stage in
            try stage.start()
            let client = try await stage.client()
            let follower = try Follower(client)
            try await until("the feed begins") { follower.hasBegun }
            let limit = WaymarkProtocol.messageBytes
            for endpoint in [stage.cluster.commandEndpoint, stage.cluster.endpoint(0)] {
                let header = try RawLink.header(1)
                for size in [limit - 1, limit] {
                    // A field that nobody knows takes the room: 3 bytes of tag, 4 of length.
                    let room = size - 7
                    var body: [UInt8] = [0xfa, 0xff, 0x03]
                    for shift in [0, 7, 14] { body.append(UInt8(room >> shift & 127) | 128) }
                    body.append(UInt8(room >> 21))
                    body += [UInt8](repeating: 1, count: room)
                    let reply = try RawLink(endpoint).ask(header, body)
                    guard case .failure(let failure)? = reply.result else {
                        Issue.record("\(size) bytes: \(reply)")
                        continue
                    }
                    #expect(failure.code == ErrorCode.unknownCommand.rawValue, "\(size) bytes")
                }
                let over = try RawLink(endpoint)
                over.send([Signature(.request).bytes, header, [UInt8](repeating: 1, count: limit + 1)])
                #expect(over.receive() == nil)
                let huge = try RawLink(endpoint)
                let memory = [stage.cluster.storage, stage.cluster.queries[0]].map { $0?.memory ?? 0 }
                huge.write(RawLink.header(1 << 31, isLast: true))
                #expect(huge.isCutOff)
                let after = [stage.cluster.storage, stage.cluster.queries[0]].map { $0?.memory ?? 0 }
                for (before, after) in zip(memory, after) { #expect(after < before + 65_536) }
            }
            try await Self.records(client)
            let head = try stage.cluster.head()
            try await until("the feed comes to \(head)") { follower.marked >= head }
            #expect(follower.lost == 0 && follower.seen.refusal == nil)
            await follower.end()
            await client.close()
        }
    }

    /// A landmark whose record is exactly as large as it may be.
    private static func records(_ client: WaymarkClient) async throws {
        func text(_ count: Int) -> String { String(repeating: "n", count: count) }
        func size(_ id: Landmark.ID) async throws -> Int {
            try (WireLandmark(try await client.show(id).landmark).serializedBytes() as [UInt8]).count
        }
        let draft = try LandmarkDraft(name: "large", coordinate: .init(latitude: 1, longitude: 2))
        let id = try await client.add(draft).id
        while try await size(id) + 15_000 < LandmarkRules.recordBytes {
            _ = try await client.addNote(to: id, text(10_000))
        }
        let note = try #require(try await client.addNote(to: id, text(2_000)).note)
        // A note that was changed takes more than one that was not.
        _ = try await client.editNote(note, text(2_001))
        let most = 2_001 + LandmarkRules.recordBytes - (try await size(id))
        let before = try await client.hello().position.rev
        for more in [-1, 0] {
            _ = try await client.editNote(note, text(most + more))
            #expect(try await size(id) == LandmarkRules.recordBytes + more)
        }
        do throws(ClientError) {
            _ = try await client.editNote(note, text(most + 1))
            Issue.record("one byte too many was taken")
        } catch .refused(let refusal) {
            #expect(refusal.code == .tooLarge)
        }
        #expect(try await client.hello().position.rev == before + 2)
    }
}
