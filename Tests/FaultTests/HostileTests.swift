// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

extension FaultTests {
    @Test("7 the same request ten times, across a kill: one revision, the same bytes; another body is a conflict")
    func row7() async throws {
        try await withScene { scene in
            try scene.startAll()
            scene.cluster.awaitStorage()
            let peer = try RawAsker(scene.cluster.commandEndpoint)
            let request = WireRequest.with {
                $0.add = .with { $0.draft = .with { ($0.name, $0.lat, $0.lng) = ("once", 1, 2) } }
            }
            var answers: [[UInt8]] = []
            for copy in 0..<10 {
                if copy % 4 == 3 {
                    scene.cluster.storage?.slay()
                    try scene.startStorage()
                    scene.cluster.awaitStorage()
                }
                answers.append(try peer.ask(request, sequence: 1))
            }
            #expect(Set(answers).count == 1)
            var other = request
            other.add.draft.name = "twice"
            let reply = try WireReply(serializedBytes: try peer.ask(other, sequence: 1))
            #expect(reply.failure.code == ErrorCode.requestConflict.rawValue)
            #expect(try scene.cluster.head() == 1)
        }
    }

    @Test("18 malformed frames and garbage: alive, memory flat, an honest client does not notice")
    func row18() async throws {
        try await withScene { scene in
            try scene.startAll()
            let client = try await scene.client(user: "writer0")
            _ = try await client.add(Watch.draft("first"))
            let before = scene.cluster.storage?.memory ?? 0
            for round in 0..<(FaultRuns.isWhole ? 50 : 5) {
                for endpoint in [scene.cluster.commandEndpoint, scene.cluster.endpoint(0)] {
                    let peer = try RawAsker(endpoint)
                    for count in 1...64 {
                        let frames = (0..<count).map { _ in
                            (0..<Int.random(in: 0...300)).map { _ in UInt8.random(in: 0...255) }
                        }
                        try peer.send(frames)
                    }
                }
                for endpoint in [scene.cluster.commandEndpoint, scene.cluster.changesEndpoint] {
                    try RawAsker.throwAt(endpoint, (0..<4_096).map { _ in UInt8.random(in: 0...255) })
                }
                let begun = ContinuousClock.now
                _ = try await client.add(Watch.draft("honest\(round)"))
                #expect(begun.duration(to: .now) < .seconds(2))
            }
            #expect((scene.cluster.storage?.memory ?? 0) - before < 30_000)
            #expect(scene.cluster.storage?.status == nil)
            #expect(scene.cluster.queries[0]?.status == nil)
            await client.close()
        }
    }

    @Test("19 frames at the limit, one byte less, one more, and an announced 2 GiB: other clients are unaffected")
    func row19() async throws {
        try await withScene { scene in
            try scene.startAll()
            let client = try await scene.client(user: "writer0")
            for extra in [-1, 0, 1] {
                let peer = try RawAsker(scene.cluster.commandEndpoint)
                let size = WaymarkProtocol.messageBytes + extra
                try peer.send([Signature(.request).bytes, [1], [UInt8](repeating: 0xff, count: size)])
                // A frame within the limit is refused for its contents. A larger one is not read.
                if extra > 0 { #expect(peer.isEnded()) } else { #expect(try peer.refusal() == 400) }
                _ = try await client.add(Watch.draft("size\(extra + 1)"))
            }
            // A frame that announces 2 GiB and sends only its beginning.
            let peer = try RawAsker(scene.cluster.commandEndpoint)
            try peer.announce(1 << 31, [1, 2, 3])
            #expect(peer.isEnded())
            _ = try await client.add(Watch.draft("after"))
            #expect(scene.cluster.storage?.status == nil)
            #expect(scene.cluster.storage?.memory ?? .max < 400_000)
            await client.close()
        }
    }

    @Test("20 storage restarted repeatedly under many clients: all resume, and no descriptors leak")
    func row20() async throws {
        try await withScene { scene in
            let processes = FaultRuns.isWhole ? 10 : 3
            try scene.startAll()
            for number in 0..<processes { try scene.cluster.startSubscriber(number, first: 0, feeds: 50) }
            try scene.cluster.startWriter(0, rate: 50)
            let client = try await scene.client()
            try await until("all feeds are there") {
                let counters = try? await client.status().storage?.counters
                let subscriptions = counters?.first { $0.name == "feed_subscriptions" }
                // The query service has one, too.
                return subscriptions?.value ?? 0 > UInt64(processes * 50)
            }
            await client.close()
            let before = scene.cluster.queries[0]?.descriptors ?? 0
            for _ in 0..<(FaultRuns.isWhole ? 20 : 5) {
                scene.cluster.storage?.slay()
                try scene.startStorage()
                try await scene.grows(by: 50)
            }
            try await until("its descriptors are as many as before") {
                abs((scene.cluster.queries[0]?.descriptors ?? 0) - before) < 10
            }
            let verdict = try scene.verdict()
            #expect(verdict.violations.isEmpty)
        }
    }

    private static let faketime =
        ["/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"]
        .first { FileManager.default.fileExists(atPath: $0) }

    @Test(
        "17 the clock jumps, both ways: order, deduplication and progress are kept",
        .enabled(if: faketime != nil, "libfaketime is not installed; setting the clock itself needs root"))
    func row17() async throws {
        try await withScene { scene in
            let library = try #require(Self.faketime)
            let clock = "\(scene.cluster.directory)/clock"
            func jump(_ offset: String) throws { try Data("\(offset)\n".utf8).write(to: URL(fileURLWithPath: clock)) }
            try jump("+0")
            scene.cluster.environment.merge(
                [
                    "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_NO_CACHE": "1",
                    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                ]) { $1 }
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 200)
            try scene.cluster.startSubscriber(0, first: 0, feeds: 10)
            for offset in ["+1", "-1", "+86400", "-86400", "+0"] {
                try await scene.grows(by: 200)
                try jump(offset)
            }
            #expect(try scene.verdict().violations.isEmpty)
        }
    }
}
