// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

extension FaultTests {
    @Test("13 compacted past a subscriber, and while others resume: an error with floor and head, no silent gap")
    func row13() async throws {
        try await withScene { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 500)
            try scene.cluster.startSubscriber(0, first: 0, feeds: 10, patience: 200)
            let client = try await scene.client()
            var start = try await client.hello().position
            start.rev = 0
            try await until { try scene.cluster.head() >= 500 }
            var truth = try scene.cluster.truth()
            for _ in 0..<10 {
                try await scene.grows(by: 100)
                // Recorded before the compaction, for the check at the end.
                truth = try scene.cluster.truth(before: truth)
                _ = try await client.compact(below: truth.head - 50)
            }
            let watch = Watch(client, .after(start))
            try await watch.wait(.seconds(60), "the refusal") { $0.isOver }
            #expect(watch.seen.refusal == .compacted)
            #expect(watch.seen.floor > 1)
            #expect(watch.seen.head >= watch.seen.floor)
            #expect(watch.seen.changes.isEmpty)
            await client.close()
            let verdict = try scene.verdict(before: truth)
            #expect(verdict.violations.isEmpty)
        }
    }

    /// Keeps a copy of the database, or puts that back, with the means of its engine. Storage does not run.
    private static func copy(_ cluster: Cluster, back: Bool) throws {
        let files = FileManager.default
        if let engine = cluster.engine {
            // The text search in the folder stays, as an operator would leave it.
            return try TestedEngine.copySchema(of: engine, back: back)
        }
        let (data, old) = ("\(cluster.directory)/data", "\(cluster.directory)/old")
        if back { try files.removeItem(atPath: data) }
        try files.copyItem(atPath: back ? old : data, toPath: back ? data : old)
    }

    @Test("14 an older copy of the database is put back by hand: subscribers learn that the history is another one")
    func row14() async throws {
        try await withScene { scene in
            let cluster = scene.cluster
            try scene.startAll()
            var client = try await scene.client(user: "writer0")
            for number in 0..<20 { _ = try await client.add(Watch.draft("a\(number)")) }
            cluster.storage?.send(SIGTERM)
            #expect(cluster.storage?.wait() == 0)
            try Self.copy(cluster, back: false)
            try scene.startStorage()
            for number in 0..<20 { _ = try await client.add(Watch.draft("b\(number)")) }
            let watch = Watch(client, .now)
            try await watch.wait(.seconds(60), "the beginning") { $0.position != nil }
            let last = try await client.add(Watch.draft("b20")).rev
            try await watch.wait(.seconds(60), "revision \(last)") { $0.position?.rev == last }
            let position = try #require(watch.seen.position)
            await client.close()
            cluster.storage?.slay()
            try Self.copy(cluster, back: true)
            try scene.startStorage()
            cluster.queries[0]?.slay()
            try cluster.startQuery(0)
            client = try await scene.client(user: "writer0")
            // More revisions than before, so that the number alone could be mistaken for the same history.
            for number in 0..<40 { _ = try await client.add(Watch.draft("c\(number)")) }
            let again = Watch(client, .after(position))
            try await again.wait(.seconds(60), "the refusal") { $0.isOver }
            #expect(again.seen.refusal == .epochChanged)
            #expect(again.seen.changes.isEmpty)
            await client.close()
        }
    }

    @Test("15 a position beyond the head is refused at once")
    func row15() async throws {
        try await withScene { scene in
            try scene.startAll()
            let client = try await scene.client(user: "writer0")
            for number in 0..<3 { _ = try await client.add(Watch.draft("a\(number)")) }
            let here = try await client.changes(after: client.hello().position).through
            for rev in [here.rev + 1, here.rev + 2, 1_000_000, UInt64(Int64.max), .max - 1, .max] {
                let begun = ContinuousClock.now
                let watch = Watch(client, .after(Position(epoch: here.epoch, rev: rev)))
                try await watch.wait(.seconds(60), "the refusal of \(rev)") { $0.isOver }
                #expect(watch.seen.refusal == .futureRevision, "\(rev)")
                // One that waits for the revision is refused when nearly all of the client's ten seconds are over.
                #expect(begun.duration(to: .now) < .seconds(5))
            }
            await client.close()
        }
    }

    @Test("16 snapshots during load, subscribers killed: the state at one revision, then the later changes")
    func row16() async throws {
        try await withScene { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 800)
            try await scene.grows(by: FaultRuns.isWhole ? 20_000 : 2_000, within: .seconds(180))
            for number in 0..<4 {
                try scene.cluster.startSubscriber(number, first: number * 10, feeds: 10, snapshots: true)
                // It ends somewhere within its snapshots.
                usleep(700_000)
                scene.cluster.clients["subscriber\(number)"]?.slay()
                try scene.cluster.startSubscriber(number, first: number * 10, feeds: 10, snapshots: true)
            }
            try await scene.grows(by: 500)
            let verdict = try scene.verdict()
            #expect(verdict.violations.isEmpty)
            // A feed whose snapshot was cut off takes another one; one that has its snapshot resumes after it.
            #expect(verdict.counts.snapshots >= 40)
        }
    }
}
