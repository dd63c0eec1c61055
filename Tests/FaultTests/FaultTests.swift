// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import TestPostgreSQL
import TestTurns
import Testing

/// Each test is a row of the design's table of proofs, under its number. The suites of this target run one after the
/// other, because each starts many programs.
@Suite(
    "Faults", .enabled(if: FaultRuns.isAsked, Comment(rawValue: FaultRuns.how)), .serialized, .inTurn)
struct FaultTests {
    /// Kills and restarts storage under load, this many times.
    static func dieOften(_ scene: Scene, _ times: Int, vfs: String?, points: [String]) throws {
        let cluster = scene.cluster
        // The tables are created first, so that their creation is not among the lost writes.
        try scene.startStorage()
        cluster.awaitStorage()
        cluster.storage?.send(SIGTERM)
        cluster.storage?.wait()
        for life in 0..<times {
            let point = points[life % points.count]
            try scene.startStorage(vfs, failpoints: "\(point)=kill@\(Int.random(in: 5...120))")
            if life == 0 {
                try cluster.startQuery(0)
                try cluster.startWriter(0, rate: 400)
                try cluster.startSubscriber(0, first: 0, feeds: 10)
            }
            // It may not come to the point that often.
            if cluster.storage?.ends(within: .seconds(10)) == false { cluster.storage?.slay() }
        }
        try scene.startStorage(vfs)
        // The writer sends what it has no answer to. The database cannot be asked: the library may hold the changes.
        usleep(1_000_000)
    }
}

extension FaultTests {
    @Test(
        "1 kill -9 at named points: no acknowledged write is lost",
        arguments: ["before-commit", "after-commit", "after-answer", "after-publish"])
    func row1(point: String) async throws {
        try await withScene { scene in
            try Self.dieOften(scene, FaultRuns.isWhole ? 100 : 5, vfs: nil, points: [point])
            let verdict = try scene.verdict()
            #expect(verdict.violations.isEmpty)
            #expect(verdict.counts.acknowledged > 50)
        }
    }

    @Test(
        "2 the disk loses writes that were not flushed: no acknowledged write is lost",
        .onSQLite("a disk of SQLite that loses writes"),
        .enabled(if: Scene.hasLossy, "the library is a product of its own: swift build --product WaymarkLossyVFS"))
    func row2() async throws {
        try await withScene { scene in
            try Self.dieOften(
                scene, FaultRuns.isWhole ? 100 : 8, vfs: "lossy", points: ["after-answer", "before-commit"])
            let verdict = try scene.verdict()
            #expect(verdict.violations.isEmpty)
            #expect(verdict.counts.acknowledged > 50)
        }
    }

    @Test("21 SIGTERM during load: exit status 0, and no acknowledged write is lost")
    func row21() async throws {
        try await withScene { scene in
            try scene.startAll()
            try scene.cluster.startWriter(0, rate: 400)
            try scene.cluster.startSubscriber(0, first: 0, feeds: 10)
            for _ in 0..<4 {
                try await scene.grows(by: 300)
                scene.cluster.storage?.send(SIGTERM)
                #expect(scene.cluster.storage?.wait(.seconds(15)) == 0)
                try scene.startStorage()
            }
            try await scene.grows(by: 50)
            let verdict = try scene.verdict()
            #expect(verdict.violations.isEmpty)
            #expect(verdict.counts.acknowledged > 100)
        }
    }
}
