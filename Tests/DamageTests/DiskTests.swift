// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import StorageService

@Suite(
    "Disks that are full or fail", .enabled(if: FaultRuns.isAsked, Comment(rawValue: FaultRuns.how)),
    .inTurn, .serialized)
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
            // Without a reserve, so that writing fails at the very end of the disk instead of at the reserve.
            stage.cluster.storageFlags = ["--disk-reserve", "0"]
            try stage.start()
            let client = try await stage.client()
            let hasty = try await stage.client(timeout: .milliseconds(300))
            let follower = try Follower(client)
            stage.followers["f"] = follower
            try await until("the feed begins") { follower.hasBegun }
            let kept = try #require(try await stage.ledger.add(client))
            // The number of remaining bytes decides which file meets the end first.
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
}
