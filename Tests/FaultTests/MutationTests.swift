// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import Testing
import WaymarkClient

/// A deliberate defect for each promise. The harness must find each one.
extension FaultTests {
    @Test(
        "a defect is found under plain load",
        arguments: [
            ("unordered", Promise.ordered), ("twice", .unique), ("drop-published", .reliable), ("half", .atomic),
            ("resume-ahead", .resumable), ("beacon-ahead", .bookmarkable), ("snapshot-unrepaired", .snapshotConsistent),
        ])
    func plain(mutation: String, promise: Promise) async throws {
        try await withScene(mutation: mutation) { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 400)
            usleep(500_000)
            try scene.cluster.startSubscriber(0, first: 0, feeds: 20, patience: 200, quiet: 2)
            usleep(4_000_000)
            let found = try scene.verdict(kill: false).violations.map(\.promise)
            #expect(found.contains(promise), "found: \(Set(found))")
        }
    }

    @Test("message numbers are ignored: breaks reliable")
    func skipNumbers() async throws {
        try await withScene(mutation: "skip-numbers") { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 200)
            try scene.cluster.startSubscriber(0, first: 0, feeds: 10, quiet: 2)
            for _ in 0..<10 {
                usleep(400_000)
                scene.cluster.feedProxy.drop(messages: 3)
            }
            let found = try scene.verdict(kill: false).violations.map(\.promise)
            #expect(found.contains { [.reliable, .bookmarkable].contains($0) }, "found: \(Set(found))")
        }
    }

    @Test("changes are published before the commit: breaks durable")
    func publishBeforeCommit() async throws {
        try await withScene(mutation: "publish-before-commit") { scene in
            try Self.dieOften(scene, 14, vfs: nil, points: ["before-commit"])
            let found = try scene.verdict().violations.map(\.promise)
            #expect(found.contains(.durable), "found: \(Set(found))")
        }
    }

    @Test("answers are forgotten: breaks durable")
    func forgetAnswers() async throws {
        try await withScene(mutation: "forget-answers") { scene in
            try Self.dieOften(scene, 6, vfs: nil, points: ["after-commit"])
            let found = try scene.verdict().violations
            #expect(found.contains { $0.promise == .durable && $0.what.contains("times") })
        }
    }

    @Test("compaction is not reported: breaks honest")
    func compactionSilent() async throws {
        try await withScene(mutation: "compaction-silent") { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 400)
            let client = try await scene.client()
            var start = try await client.hello().position
            start.rev = 0
            while try scene.cluster.head() < 300 { try await Task.sleep(for: .milliseconds(100)) }
            _ = try await client.compact(below: 200)
            let watch = Watch(client, .after(start))
            try await watch.wait(.seconds(10), "changes") { $0.changes.count > 10 || $0.isOver }
            // The expectation of row 13 must fail.
            #expect(watch.seen.refusal == nil && watch.seen.changes.first ?? 0 > 1)
            await watch.end()
            await client.close()
        }
    }

    @Test("another history is taken for the same: breaks honest")
    func epochBlind() async throws {
        try await withScene(mutation: "epoch-blind") { scene in
            let (cluster, files) = (scene.cluster, FileManager.default)
            try scene.startAll()
            let client = try await scene.client(user: "writer0")
            for number in 0..<5 { _ = try await client.add(Watch.draft("a\(number)")) }
            cluster.storage?.send(SIGTERM)
            #expect(cluster.storage?.wait() == 0)
            try files.copyItem(atPath: "\(cluster.directory)/data", toPath: "\(cluster.directory)/old")
            try scene.startStorage()
            let watch = Watch(client, .now)
            try await watch.wait(.seconds(10), "the beginning") { $0.position != nil }
            let last = try await client.add(Watch.draft("b")).rev
            try await watch.wait(.seconds(10), "revision \(last)") { $0.position?.rev == last }
            let position = try #require(watch.seen.position)
            cluster.storage?.slay()
            try files.removeItem(atPath: "\(cluster.directory)/data")
            try files.copyItem(atPath: "\(cluster.directory)/old", toPath: "\(cluster.directory)/data")
            try scene.startStorage()
            let other = try await scene.client(user: "writer0")
            for number in 0..<20 { _ = try await other.add(Watch.draft("c\(number)")) }
            let again = Watch(other, .after(position))
            try await again.wait(.seconds(10), "changes") { !$0.changes.isEmpty || $0.isOver }
            // The expectation of row 14 must fail.
            #expect(again.seen.refusal == nil)
            await watch.end()
            await again.end()
            await other.close()
            await client.close()
        }
    }
}
