// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import Testing
import WaymarkClient

extension FaultTests {
    @Test("8 the proxy drops 1 to k messages, the last one too: healed within two beacons")
    func row8() async throws {
        try await withScene { scene in
            try scene.startAll()
            let writer = try await scene.client(user: "writer0")
            let watcher = try await scene.client()
            let feed = Watch(watcher, .now)
            try await feed.wait(.seconds(60), "the beginning") { $0.position != nil }
            var times: [Duration] = []
            for count in 1...(FaultRuns.isWhole ? 40 : 10) {
                scene.cluster.feedProxy.drop(messages: count)
                var last: UInt64 = 0
                for number in 0..<count { last = try await writer.add(Watch.draft("w\(count)-\(number)")).rev }
                let begun = ContinuousClock.now
                try await feed.wait(.seconds(60), "revision \(last)") { $0.position?.rev ?? 0 >= last }
                times.append(begun.duration(to: .now))
            }
            let told = feed.seen
            #expect(told.changes == Array(1...UInt64(told.changes.count)))
            #expect(scene.cluster.feedProxy.dropped >= 10)
            // The machine may be busy for a moment. What waits for the silence of the feed is late each time.
            #expect(times.sorted()[times.count / 2] < .milliseconds(2_500), "\(times)")
            await feed.end()
            await writer.close()
            await watcher.close()
        }
    }

    @Test("9 one subscriber stopped under load: storage's memory is bounded, and no change is missed afterwards")
    func row9() async throws {
        try await withScene { scene in
            try scene.startAll()
            for number in 0..<3 { try scene.cluster.startSubscriber(number, first: number * 10, feeds: 10) }
            try scene.cluster.startWriter(0, rate: 500)
            try await scene.grows(by: 1_000)
            let before = scene.cluster.storage?.memory ?? 0
            scene.cluster.clients["subscriber1"]?.send(SIGSTOP)
            usleep(FaultRuns.isWhole ? 60_000_000 : 12_000_000)
            let after = scene.cluster.storage?.memory ?? 0
            scene.cluster.clients["subscriber1"]?.send(SIGCONT)
            #expect(after - before < 100_000, "KiB: \(before) before, \(after) after")
            #expect(try scene.verdict().violations.isEmpty)
        }
    }

    @Test("10 receivers stalled: none aborts, all resynchronise")
    func row10() async throws {
        try await withScene { scene in
            try scene.startAll()
            for number in 0..<2 { try scene.cluster.startSubscriber(number, first: number * 10, feeds: 10) }
            try scene.cluster.startWriter(0, rate: 500)
            for seconds in FaultRuns.isWhole ? [3, 10, 30] : [3, 6] {
                try await scene.grows(by: 100)
                for client in scene.cluster.clients.values { client.send(SIGSTOP) }
                scene.cluster.clients["writer0"]?.send(SIGCONT)
                scene.cluster.queries[0]?.send(SIGSTOP)
                usleep(UInt32(seconds) * 1_000_000)
                scene.cluster.queries[0]?.send(SIGCONT)
                for client in scene.cluster.clients.values { client.send(SIGCONT) }
            }
            for client in scene.cluster.clients.values { #expect(client.status == nil) }
            #expect(scene.cluster.queries[0]?.status == nil)
            #expect(try scene.verdict().violations.isEmpty)
        }
    }

    @Test("11 half-open connections: noticed within three beacons, resumed when packets pass again")
    func row11() async throws {
        try await withScene { scene in
            try scene.startAll()
            let writer = try await scene.client(user: "writer0")
            let feed = Watch(writer, .now)
            try await feed.wait(.seconds(60), "the beginning") { $0.position != nil }
            var times: [Duration] = []
            for round in 0..<2 {
                let begun = ContinuousClock.now
                scene.cluster.feedProxy.freeze(true)
                try await feed.wait(.seconds(60), "that it is lost") { $0.lost > round }
                times.append(begun.duration(to: .now))
                let last = try await writer.add(Watch.draft("w\(round)")).rev
                scene.cluster.feedProxy.freeze(false)
                try await feed.wait(.seconds(60), "revision \(last)") { $0.position?.rev ?? 0 >= last }
                try await feed.wait(.seconds(60), "that it is resumed") { $0.resumed > round }
            }
            // The machine may be busy for a moment. A longer patience is late each time.
            #expect(try #require(times.min()) < .milliseconds(4_600), "\(times)")
            #expect(feed.seen.changes == [1, 2])
            await feed.end()
            await writer.close()
        }
    }

    @Test("12 disconnected at random revisions and resumed: the same stream as without disconnects")
    func row12() async throws {
        try await withScene { scene in
            try scene.startAll()
            // Each resume reads a page of the log, however early the feed ends. So there are few feeds; otherwise the
            // run would only read pages.
            try scene.cluster.startWriter(0, rate: 120)
            try scene.cluster.startSubscriber(0, first: 0, feeds: 4, patience: 15)
            try scene.cluster.startSubscriber(1, first: 0, feeds: 4, patience: 1_000_000)
            usleep(FaultRuns.isWhole ? 240_000_000 : 12_000_000)
            let verdict = try scene.verdict()
            #expect(verdict.violations.isEmpty)
            #expect(verdict.counts.resumes > (FaultRuns.isWhole ? 10_000 : 100), "\(verdict.counts.resumes) resumes")
        }
    }
}
