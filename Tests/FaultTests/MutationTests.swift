// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import TestTurns
import Testing
import WaymarkClient

/// A deliberate defect for each promise. The harness must find each one, in programs that were built from mutated
/// sources: in others these tests fail.
@Suite(
    "Mutations", .enabled(if: FaultRuns.mutants != nil, Comment(rawValue: FaultRuns.howToMutate)), .serialized, .inTurn)
struct MutationTests {
    /// Requires the validator to report one of the promises that the mutation breaks.
    private func expectFound(_ mutation: Mutation, in violations: [Violation]) {
        let found = Set(violations.map(\.promise))
        #expect(!found.isDisjoint(with: mutation.breaks), "found: \(found)")
    }

    @Test(
        "a defect is found under plain load",
        arguments: [
            Mutation.unordered, .twice, .dropPublished, .half, .resumeAhead, .beaconAhead, .snapshotUnrepaired,
        ])
    func plain(mutation: Mutation) async throws {
        try await withScene(mutation: mutation) { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 400)
            try await scene.grows(by: 100)
            try scene.cluster.startSubscriber(0, first: 0, feeds: 20, patience: 200, quiet: 2)
            // So long a load shows each of these defects.
            usleep(4_000_000)
            expectFound(mutation, in: try scene.verdict(kill: false).violations)
        }
    }

    @Test("message numbers are ignored: breaks reliable")
    func skipNumbers() async throws {
        try await withScene(mutation: .skipNumbers) { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 200)
            // Quiet for longer than three beacons, which may be the messages that are dropped on a feed with few changes.
            try scene.cluster.startSubscriber(0, first: 0, feeds: 10, quiet: 6)
            for _ in 0..<10 {
                usleep(400_000)
                scene.cluster.feedProxy.drop(messages: 3)
            }
            expectFound(.skipNumbers, in: try scene.verdict(kill: false).violations)
        }
    }

    @Test("changes are published before the commit: breaks durable")
    func publishBeforeCommit() async throws {
        try await withScene(mutation: .publishBeforeCommit) { scene in
            try FaultTests.dieOften(scene, 14, vfs: nil, points: ["before-commit"])
            expectFound(.publishBeforeCommit, in: try scene.verdict().violations)
        }
    }

    @Test(
        "2 the disk loses writes, and SQLite does not flush each commit: breaks durable",
        .enabled(if: Scene.hasLossy, "the library is a product of its own: swift build --product WaymarkLossyVFS"))
    func row2Normal() async throws {
        try await withScene(mutation: .synchronousNormal) { scene in
            try FaultTests.dieOften(scene, 4, vfs: "lossy", points: ["after-answer"])
            expectFound(.synchronousNormal, in: try scene.verdict().violations)
        }
    }

    @Test("answers are forgotten: breaks durable")
    func forgetAnswers() async throws {
        try await withScene(mutation: .forgetAnswers) { scene in
            try FaultTests.dieOften(scene, 6, vfs: nil, points: ["after-commit"])
            let found = try scene.verdict().violations
            #expect(found.contains { $0.promise == .durable && $0.what.contains("times") })
        }
    }

    @Test("compaction is not reported: breaks honest")
    func compactionSilent() async throws {
        try await withScene(mutation: .compactionSilent) { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 400)
            let client = try await scene.client()
            var start = try await client.hello().position
            start.rev = 0
            try await until { try scene.cluster.head() >= 300 }
            _ = try await client.compact(below: 200)
            let watch = Watch(client, .after(start))
            try await watch.wait(.seconds(60), "changes") { $0.changes.count > 10 || $0.isOver }
            // The expectation of row 13 must fail.
            #expect(watch.seen.refusal == nil && watch.seen.changes.first ?? 0 > 1)
            await watch.end()
            await client.close()
        }
    }

    @Test("another history is taken for the same: breaks honest")
    func epochBlind() async throws {
        try await withScene(mutation: .epochBlind) { scene in
            let (cluster, files) = (scene.cluster, FileManager.default)
            try scene.startAll()
            let client = try await scene.client(user: "writer0")
            for number in 0..<5 { _ = try await client.add(Watch.draft("a\(number)")) }
            cluster.storage?.send(SIGTERM)
            #expect(cluster.storage?.wait() == 0)
            try files.copyItem(atPath: "\(cluster.directory)/data", toPath: "\(cluster.directory)/old")
            try scene.startStorage()
            let watch = Watch(client, .now)
            try await watch.wait(.seconds(60), "the beginning") { $0.position != nil }
            let last = try await client.add(Watch.draft("b")).rev
            try await watch.wait(.seconds(60), "revision \(last)") { $0.position?.rev == last }
            let position = try #require(watch.seen.position)
            cluster.storage?.slay()
            try files.removeItem(atPath: "\(cluster.directory)/data")
            try files.copyItem(atPath: "\(cluster.directory)/old", toPath: "\(cluster.directory)/data")
            try scene.startStorage()
            let other = try await scene.client(user: "writer0")
            for number in 0..<20 { _ = try await other.add(Watch.draft("c\(number)")) }
            let again = Watch(other, .after(position))
            try await again.wait(.seconds(60), "changes") { !$0.changes.isEmpty || $0.isOver }
            // The expectation of row 14 must fail.
            #expect(again.seen.refusal == nil)
            await watch.end()
            await again.end()
            await other.close()
            await client.close()
        }
    }
}
