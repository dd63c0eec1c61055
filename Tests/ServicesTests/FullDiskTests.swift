// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import Logging
import StorageService
import ServiceHost
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Storage on a full disk", .inTurn)
struct FullDiskTests {
    /// What a request to a full disk is refused with.
    private static func refusal(_ body: () async throws -> Void) async throws -> ErrorCode? {
        while true {
            do { return try await WriteTests.refusal(body) } catch ClientError.timedOut, ClientError.mayBeDone {
                // A client repeats what was refused, and on a busy machine its last copy may have too little time.
            }
        }
    }

    @Test(
        "reports it, refuses writes and backups at once, keeps reading, and recovers by itself",
        .onSQLite("the disk of SQLite's file"),
        .enabled(if: Tmpfs.isPossible, "a small disk is a tmpfs, and to mount one needs root"))
    func saysSoAndRecovers() async throws {
        let directory = try TemporaryDirectory()
        let disk = try Tmpfs(at: directory.path + "/data", megabytes: 40)
        defer { disk.close() }
        let pair = try await Pair(.ipc, directory: directory, onDisk: true, diskReserve: 8 << 20)
        let client = try await pair.client()
        let impatient = try await pair.client(timeout: .milliseconds(800))
        let added = try await client.add(WriteTests.draft())
        // A disk that needs more than half a second for a small file is a problem too, and on a busy machine it may.
        try await until("health is well") { await pair.storage.health().isReady }
        try disk.fill(leaving: 5 << 20)
        // Storage notices without any write.
        try await until("health tells of the full disk") {
            await pair.storage.health().problems.contains { $0.contains("disk.reserve") }
        }
        #expect(try await Self.refusal { _ = try await impatient.add(WriteTests.draft()) } == .storageFull)
        #expect(try await Self.refusal { _ = try await impatient.beginBackup() } == .storageFull)
        #expect(try await client.show(added.id).landmark.id == added.id)
        #expect(HostileTests.counter("writes_refused_by_disk", try await storageStatus(client).counters) == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/data")
        #expect(!names.contains { $0.hasPrefix(".copy-") }, "\(names)")
        try disk.empty()
        try await until("health is well again") { await pair.storage.health().isReady }
        #expect(try await client.add(WriteTests.draft("after")).rev == 2)
        #expect(HostileTests.counter("writes_refused_by_disk", try await storageStatus(client).counters) == 0)
        await client.close()
        await impatient.close()
        await pair.stop()
    }

    @Test(
        "starts on it without a byte left, and answers reads",
        .onSQLite("the disk of SQLite's file"),
        .enabled(if: Tmpfs.isPossible, "a small disk is a tmpfs, and to mount one needs root"))
    func starts() async throws {
        let directory = try TemporaryDirectory()
        let disk = try Tmpfs(at: directory.path + "/data", megabytes: 40)
        defer { disk.close() }
        let before = try await Pair(.ipc, directory: directory, onDisk: true, diskReserve: 8 << 20)
        let writer = try await before.client()
        let added = try await writer.add(WriteTests.draft())
        await writer.close()
        await before.stop()
        try disk.fill(leaving: 0)
        // It waits until the query service has read all landmarks and follows the changes.
        let pair = try await Pair(.ipc, directory: directory, onDisk: true, diskReserve: 8 << 20)
        let client = try await pair.client()
        let impatient = try await pair.client(timeout: .milliseconds(800))
        #expect(try await client.show(added.id).landmark.id == added.id)
        #expect(try await Self.refusal { _ = try await impatient.add(WriteTests.draft()) } == .storageFull)
        #expect(await pair.storage.health().problems.contains { $0.contains("disk.reserve") })
        try disk.empty()
        try await until("health is well again") { await pair.storage.health().isReady }
        #expect(try await client.add(WriteTests.draft("after")).rev == 2)
        await client.close()
        await impatient.close()
        await pair.stop()
    }
}
