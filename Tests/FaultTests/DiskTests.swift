// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import TestPostgreSQL
import Testing
import WaymarkClient
import WaymarkProtocol

extension FaultTests {
    private static let noLibrary: Comment = "the library is a product of its own: swift build --product WaymarkLossyVFS"

    @Test(
        "3 the end of the WAL cut or a bit flipped: recovers to a whole commit, and to nothing beyond it",
        .onSQLite("SQLite's write-ahead log"))
    func row3() async throws {
        try await withScene { scene in
            let (cluster, files) = (scene.cluster, FileManager.default)
            try scene.startAll()
            try cluster.startWriter(0, rate: 300)
            try await scene.grows(by: 500)
            cluster.storage?.slay()
            cluster.clients["writer0"]?.slay()
            // The query services would resend the dead writer's pending requests to the storage that is started
            // below.
            for query in cluster.queries { query?.slay() }
            let (data, spare) = ("\(cluster.directory)/data", "\(cluster.directory)/spare")
            try files.copyItem(atPath: data, toPath: spare)
            let whole = try Truth(database: "\(spare)/waymark.sqlite")
            for variant in 0..<(FaultRuns.isWhole ? 60 : 8) {
                try files.removeItem(atPath: data)
                try files.copyItem(atPath: spare, toPath: data)
                try? files.removeItem(atPath: "\(data)/waymark.sqlite-shm")
                try Self.spoil("\(data)/waymark.sqlite-wal", cuts: variant % 2 == 0)
                try scene.startStorage()
                // It has read its log by then, and takes signals.
                cluster.awaitStorage()
                cluster.storage?.send(SIGTERM)
                #expect(cluster.storage?.wait() == 0)
                let left = try Truth(database: cluster.database)
                #expect(left.problems.isEmpty)
                #expect(left.head <= whole.head)
                #expect(left.log == Array(whole.log.prefix(left.log.count)))
                #expect(Validator.check(History(), truth: left).violations.isEmpty)
            }
        }
    }

    /// In the last 100 KB of a file.
    private static func spoil(_ path: String, cuts: Bool) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let size = try file.seekToEnd()
        guard size > 32 else { throw FaultError("the WAL is empty") }
        let place = UInt64.random(in: max(32, size - min(size - 32, 100_000))..<size)
        if cuts { return try file.truncate(atOffset: place) }
        try file.seek(toOffset: place)
        let byte = try file.read(upToCount: 1)?.first ?? 0
        try file.seek(toOffset: place)
        try file.write(contentsOf: Data([byte ^ (1 << UInt8.random(in: 0..<8))]))
    }

    @Test("4 the main file damaged: it refuses to start, and says why", .onSQLite("SQLite's file"))
    func row4() async throws {
        try await withScene { scene in
            let cluster = scene.cluster
            try scene.startAll()
            try cluster.startWriter(0, rate: 300)
            try await scene.grows(by: 500)
            cluster.clients["writer0"]?.slay()
            cluster.storage?.send(SIGTERM)
            #expect(cluster.storage?.wait() == 0)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: cluster.database))
            for page in 1..<5 {
                try file.seek(toOffset: UInt64(page) * 4_096)
                try file.write(contentsOf: Data((0..<4_096).map { _ in UInt8.random(in: 1...255) }))
            }
            try file.close()
            try scene.startStorage()
            let status = cluster.storage?.wait(.seconds(60))
            #expect(status != nil && status != 0 && status ?? 0 < 128)
            let log = try String(contentsOfFile: "\(cluster.directory)/storage.log", encoding: .utf8)
            #expect(log.suffix(600).lowercased().contains("damaged") || log.suffix(600).contains("corrupt"), "\(log)")
        }
    }

    @Test(
        "5 disk full: refused as storage_full, reads go on, and writes again without a restart",
        .onSQLite("a disk of SQLite that fails"), .enabled(if: Scene.hasLossy, noLibrary))
    func row5() async throws {
        try await withScene { scene in
            try scene.startAll("full=400:6")
            let client = try await scene.client(timeout: .milliseconds(400))
            var (full, after) = (0, 0)
            let deadline = ContinuousClock.now + .seconds(60)
            var number = 0
            // While the disk is full, storage retries by itself once a second, independent of requests.
            while after < 20, ContinuousClock.now < deadline {
                number += 1
                let draft = try Watch.draft("w\(number)")
                do throws(ClientError) {
                    _ = try await client.add(draft)
                    if full > 0 { after += 1 }
                } catch {
                    if case .refused(let refusal) = error, refusal.code == .storageFull { full += 1 }
                    #expect(try await client.list(.byName, limit: 1).hits.count == 1)
                }
            }
            #expect(full > 0)
            #expect(after == 20)
            #expect(scene.cluster.storage?.status == nil)
            await client.close()
        }
    }

    @Test(
        "6 an I/O error at the Nth write or flush: nothing is acknowledged that is not there",
        .onSQLite("a disk of SQLite that fails"), .enabled(if: Scene.hasLossy, noLibrary))
    func row6() async throws {
        try await withScene { scene in
            let cluster = scene.cluster
            try scene.startAll()
            cluster.awaitStorage()
            try cluster.startWriter(0, rate: 150)
            for round in 0..<(FaultRuns.isWhole ? 200 : 12) {
                cluster.storage?.slay()
                try scene.startStorage("ioerr=\(round * 7 + Int.random(in: 1...7))")
                // Whatever comes of it within this time.
                usleep(900_000)
            }
            cluster.storage?.slay()
            try scene.startStorage()
            let verdict = try scene.verdict()
            #expect(verdict.violations.isEmpty)
            #expect(verdict.counts.acknowledged > 50)
        }
    }
}
