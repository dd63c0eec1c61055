// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import StorageService

@Suite("Disks that are full or fail", .timeLimit(.minutes(5)), .serialized)
struct DiskTests {
    @Test(
        "5 disk full: storage_full, reads go on, and writes again without a restart",
        .enabled(if: Tmpfs.isPossible, "row 5 mounts a tmpfs, and that needs root"))
    func row5() async throws {
        try await withStage { stage in
            let disk = try Tmpfs(at: stage.folder.path + "/data", megabytes: 24)
            defer {
                stage.close()
                disk.close()
            }
            try stage.start()
            let client = try await stage.client()
            let hasty = try await stage.client(timeout: .milliseconds(300))
            let follower = try Follower(client)
            stage.followers["f"] = follower
            try await until("the feed begins") { follower.hasBegun }
            let kept = try #require(try await stage.ledger.add(client))
            // The last bytes: how many are left decides on which file meets the end first.
            for left in [0, 1, 4_096, 20_000, 70_000] {
                try disk.fill(leaving: left)
                let before = stage.ledger.codes["storage_full", default: 0]
                for _ in 0..<60 where stage.ledger.codes["storage_full", default: 0] == before {
                    try await stage.ledger.add(hasty, padding: 2_000)
                }
                #expect(stage.ledger.codes["storage_full", default: 0] > before, "\(left) bytes left")
                #expect(try await client.show(kept.id).landmark.id == kept.id)
                let head = try await client.hello().position
                let page = try await client.changes(after: Position(epoch: head.epoch, rev: 0))
                #expect(page.changes.count > 0)
                try disk.empty()
                #expect(try await stage.ledger.add(client) != nil)
            }
            #expect(stage.cluster.storage?.status == nil)
            let codes = stage.ledger.codes
            let counts = try await stage.judge().counts
            print("row 5: \(counts.acknowledged) acknowledged, refused: \(codes)")
            #expect(Set(codes.keys) == ["storage_full"])
            await hasty.close()
            await client.close()
        }
    }

    @Test(
        "6 an I/O error at the Nth operation: nothing is acknowledged after a failed flush, and nothing is half done",
        .enabled(if: Stage.hasLossy, "row 6 loads libWaymarkLossyVFS.so: swift build --product WaymarkLossyVFS"))
    func row6() async throws {
        // Every so many operations, first of writes and flushes alike, then of flushes alone.
        let stride = Stage.isWhole ? 1 : 4
        var figures: [String] = []
        for kind in ["", ",sync"] {
            var (number, quiet, failed, deaf, acknowledged) = (1, 0, 0, 0, 0)
            // The end of the workload is where an error changes nothing any more.
            while quiet < 8, number < 600 {
                let outcome = try await Self.meet("ioerr=\(number)\(kind)")
                acknowledged += outcome.acknowledged
                if !outcome.hasStarted { deaf += 1 }
                if outcome.refused > 0 { failed += 1 }
                quiet = outcome.hasStarted && outcome.refused == 0 ? quiet + 1 : 0
                number += kind.isEmpty ? stride : 1
            }
            figures.append(
                "\(kind): N to \(number), \(deaf) starts refused, \(failed) writes refused, \(acknowledged) acknowledged"
            )
            #expect(failed > 3 && deaf > 0)
        }
        print("row 6: every \(stride) operations; \(figures)")
    }

    private static func meet(_ fault: String) async throws -> (hasStarted: Bool, acknowledged: Int, refused: Int) {
        let stage = try Stage()
        defer { stage.close() }
        stage.cluster.storageEnvironment = ["LD_PRELOAD": Stage.lossy, "WAYMARK_VFS": fault]
        try stage.cluster.startStorage()
        // Storage's own port: the query service has no part in this.
        let client = try await WaymarkClient(
            .init(endpoint: stage.cluster.commandEndpoint, user: "tester", timeout: .seconds(10)))
        let storage = try #require(stage.cluster.storage)
        var hasStarted = false
        try await until("\(fault): storage starts or says no") {
            if storage.status != nil { return true }
            hasStarted =
                (try? await client.send(
                    .with {
                        $0.hello = .with {
                            $0.minProtocol = 1; $0.maxProtocol = 1
                        }
                    }, timeout: .milliseconds(500))) != nil
            return hasStarted
        }
        if hasStarted {
            for _ in 0..<8 { try await stage.ledger.add(client) }
        } else {
            #expect(storage.status == 1, "\(fault): \(stage.log("storage"))")
        }
        storage.slay()
        await client.close()
        if FileManager.default.fileExists(atPath: stage.cluster.database) {
            // Without the fault: what a restart finds.
            let scribe = try Scribe(stage.folder.path + "/data")
            scribe.engine.close()
            let history = History(writes: ["w": stage.ledger.records])
            let validator = Validator.check(history, truth: try Truth(database: stage.cluster.database))
            #expect(validator.violations.map(\.description) == [], "\(fault)")
        }
        return (hasStarted, stage.ledger.acknowledged, stage.ledger.codes.values.reduce(0, +))
    }
}
