// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite(
    "Snapshots during writes", .enabled(if: FaultRuns.isAsked, Comment(rawValue: FaultRuns.how)), .inTurn)
struct SnapshotTests {
    /// The design's table has `WAYMARK_SNAPSHOT_ROWS=1000000`.
    private static let rows =
        ProcessInfo.processInfo.environment["WAYMARK_SNAPSHOT_ROWS"].flatMap { Int($0) } ?? 100_000
    private static let walLimit = 96 * 1_024 * 1_024
    /// KiB of memory beyond what the process had before the snapshots.
    private static let memoryLimit = 192 * 1_024

    @Test("16 a large snapshot during writes, cancelled or read slowly: the state at R and then the feed")
    func row16() async throws {
        try await withStage { stage in
            try stage.start()
            let client = try await stage.client(timeout: .seconds(60))
            for first in stride(from: 0, to: Self.rows, by: 1_000) {
                var request = WireRequest()
                request.ingest.source = "bulk"
                request.ingest.rows = (first..<min(Self.rows, first + 1_000)).map { number in
                    let (lat, lng) = (Double(number % 80), Double(number % 170))
                    return WireSourceRow(
                        "\(number)", .with { ($0.name, $0.lat, $0.lng) = ("bulk \(number)", lat, lng) })
                }
                _ = try await client.send(request)
            }
            let storage = try #require(stage.cluster.storage)
            let memory = storage.memory
            let most = Locked((memory: 0, wal: 0))
            let wal = stage.cluster.database + "-wal"
            let ledger = stage.ledger
            let isOver = Locked(false)
            let load = Task {
                while !isOver.withLock({ $0 }) {
                    try await ledger.add(client, kind: "pub", padding: 1_000)
                    let bytes = (try? FileManager.default.attributesOfItem(atPath: wal)[.size] as? Int) ?? 0
                    most.withLock { $0 = (max($0.memory, storage.memory), max($0.wal, bytes)) }
                }
            }
            defer { isOver.withLock { $0 = true } }
            let other = try await stage.client(timeout: .seconds(60))
            // Cancelled in the middle, twice.
            for _ in 0..<2 {
                let broken = try Follower(other, .snapshot)
                try await until("half of it is there") { broken.rows > Self.rows / 5 }
                await broken.end()
            }
            // One reads at full speed, the other one pauses.
            let fast = try Follower(client, .snapshot)
            let count = Locked(0)
            let slow = try Follower(other, .snapshot) {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number % 10_000 == 0 { try? await Task.sleep(for: .milliseconds(500)) }
            }
            (stage.followers["fast"], stage.followers["slow"]) = (fast, slow)
            for follower in [fast, slow] {
                try await until("the snapshot is there", within: .seconds(300)) { follower.synced != nil }
            }
            isOver.withLock { $0 = true }
            _ = try await load.value
            let head = try stage.cluster.head()
            for follower in [fast, slow] {
                try await until("the feed comes to \(head)", within: .seconds(60)) { follower.marked >= head }
            }
            let figures = most.withLock { $0 }
            let truth = try Truth(database: stage.cluster.database)
            #expect(truth.head == head)
            for follower in [fast, slow] {
                #expect(follower.seen.state == truth.landmarks)
                #expect(follower.synced ?? 0 > UInt64(Self.rows))
            }
            #expect(figures.wal < Self.walLimit)
            #expect(figures.memory < memory + Self.memoryLimit)
            print(
                "row 16: \(Self.rows) rows, \(ledger.acknowledged) writes meanwhile, storage \(memory) to "
                    + "\(figures.memory) KiB, WAL at most \(figures.wal / 1_024) KiB")
            _ = try await stage.judge(ignoring: "nobody asked for this: added bulk")
            await other.close()
            await client.close()
        }
    }
}
