// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import SQLite
import Synchronization
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules

@Suite("A disk that fills", .onSQLite("the disk of SQLite's file"), .inTurn)
struct DiskWatchTests {
    /// What a watch sees, set by the test.
    private final class World: Sendable {
        let room = Mutex<UInt64>(1_000)
        let time = Mutex(Duration.zero)

        func watch(reserve: UInt64) -> DiskWatch {
            DiskWatch(
                reserve: reserve, pause: .seconds(1), uptime: { self.time.withLock(\.self) },
                room: { self.room.withLock(\.self) })
        }

        func wait(_ time: Duration) { self.time.withLock { $0 += time } }
    }

    @Test func isAskedBeforeEachWriteAndOnceInAPauseWhileThereIsNone() {
        let world = World()
        let watch = world.watch(reserve: 400)
        for _ in 0..<3 { #expect(watch.isDue()) }
        watch.enter(.full(room: 1, reserve: 400))
        expectPauses(watch, world)
        // Nothing is kept free that could be passed.
        let free = world.watch(reserve: 0)
        #expect(free.isDue())
        expectPauses(free, world)
    }

    private func expectPauses(_ watch: DiskWatch, _ world: World) {
        #expect(!watch.isDue())
        world.wait(.milliseconds(999))
        #expect(!watch.isDue())
        world.wait(.milliseconds(1))
        #expect(watch.isDue())
        #expect(!watch.isDue())
    }

    @Test func countsWhatIsAboutToBeWrittenUpToAQuarterOfTheReserve() {
        let world = World()
        world.room.withLock { $0 = 450 }
        #expect(world.watch(reserve: 400).hasRoom(for: 50) { 0 })
        #expect(!world.watch(reserve: 400).hasRoom(for: 51) { 0 })
        world.room.withLock { $0 = 500 }
        #expect(world.watch(reserve: 400).hasRoom(for: .max) { 0 })
        world.room.withLock { $0 = 499 }
        #expect(!world.watch(reserve: 400).hasRoom(for: .max) { 0 })
    }

    @Test func isFullBelowTheReserveAndWritableAQuarterAboveIt() {
        let world = World()
        let watch = world.watch(reserve: 400)
        #expect(watch.hasRoom { 0 })
        world.room.withLock { $0 = 399 }
        #expect(!watch.hasRoom { 0 })
        #expect(watch.condition == .full(room: 399, reserve: 400))
        world.room.withLock { $0 = 499 }
        #expect(!watch.hasRoom { 0 })
        world.room.withLock { $0 = 500 }
        #expect(watch.hasRoom { 0 })
        // What the database itself can take again counts.
        world.room.withLock { $0 = 100 }
        #expect(!watch.hasRoom { 299 })
        #expect(!watch.hasRoom { 9_999 })
        world.room.withLock { $0 = 125 }
        #expect(!watch.hasRoom { 374 })
        #expect(watch.hasRoom { 375 })
        // But never for all of it: the database is not the only file.
        watch.enter(.writable)
        world.room.withLock { $0 = 99 }
        #expect(!watch.hasRoom { .max })
    }

    private static let noRoot: Comment = "a small disk is a tmpfs, and to mount one needs root"

    private func withDisk(
        _ megabytes: Int, reserve: UInt64, pause: Duration = .milliseconds(50),
        _ body: (Tmpfs, SQLiteEngine, EngineClient) async throws -> Void
    ) async throws {
        let scratch = Scratch()
        let disk = try Tmpfs(at: scratch.path, megabytes: megabytes)
        defer { disk.close() }
        var tuning = EngineTuning()
        tuning.reserve = reserve
        tuning.diskPause = pause
        let client = try EngineClient(.memory)
        client.engine.close()
        let engine = try SQLiteEngine(directory: scratch.path, tuning: tuning, logger: .silent)
        client.engine = engine
        try await body(disk, engine, client)
        client.engine.close()
    }

    @Test(.enabled(if: Tmpfs.isPossible, noRoot))
    func keepsItsReserveAndRecoversByItself() async throws {
        try await withDisk(160, reserve: 24 << 20) { disk, engine, client in
            let note = String(repeating: "n", count: 9_000)
            for number in 0..<1_200 { try client.add("Bondi \(number)", note: note) }
            #expect(engine.control.condition == .writable)
            // What the text search takes is not what is looked at here.
            let head = engine.position.rev
            try await until("the text search has come to the head", within: .seconds(120)) {
                try await engine.index.reached().rev == head
            }
            try disk.fill(leaving: 23 << 20)
            try await Task.sleep(for: .milliseconds(60))
            #expect(throws: EngineError.full) { try client.add("refused") }
            // Its log of writes has been emptied, and somebody else takes what that has given back.
            try disk.fill(leaving: 23 << 20)
            guard case .full(let room?, _) = engine.control.condition else {
                Issue.record("\(engine.control.condition)")
                return
            }
            #expect(room < 24 << 20)
            // Refused, and nothing is written, however many ask.
            let path = try #require(
                engine.probe { db in
                    try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
                })
            func log() throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            }
            let before = try log()
            for _ in 0..<2_000 { #expect(throws: EngineError.full) { try client.add("refused") } }
            #expect(try log() == before && before != nil)
            #expect(try await client.all().count == 1_200)
            // A backup is refused, and leaves nothing.
            await #expect(throws: EngineError.full) { _ = try await engine.copier.copy() }
            let folder = (path as NSString).deletingLastPathComponent
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.hasPrefix(DataDirectory.draftPrefix) }, "\(names)")
            // What it needs to forget changes is in the reserve, and what they took can be used again.
            for _ in 0..<100 where engine.upkeep.floor < 1_200 { _ = try engine.upkeep.compact(below: 1_200) }
            #expect(engine.upkeep.floor == 1_200)
            try await until("room within the file counts", within: .seconds(120)) {
                engine.recover()
                return engine.control.condition == .writable
            }
            #expect(try client.add("after compaction").rev == 1_201)
            try disk.fill(leaving: 0)
            try disk.empty()
            try await until("there is room again", within: .seconds(120)) {
                engine.recover()
                return engine.control.condition == .writable
            }
            try client.add("Coogee")
            try await until("the text search has come on", within: .seconds(120)) {
                try await client.search("Coogee") == ["Coogee"]
            }
        }
    }

    @Test(.enabled(if: Tmpfs.isPossible, noRoot))
    func fastWritersDoNotPassItsReserve() async throws {
        // No pause ends while they write.
        try await withDisk(160, reserve: 40 << 20, pause: .seconds(3_600)) { disk, engine, client in
            try client.add("Bondi")
            try disk.fill(leaving: 44 << 20)
            let note = String(repeating: "n", count: 9_000)
            var isRefused = false
            for number in 0..<4_000 where !isRefused {
                do { try client.add("Manly \(number)", note: note) } catch EngineError.full { isRefused = true }
            }
            guard isRefused, case .full(let room?, _) = engine.control.condition else {
                Issue.record("it was not refused for the reserve: \(engine.control.condition)")
                return
            }
            // The text search, which nobody waits for, may have taken a little of it.
            #expect(room > 36 << 20)
        }
    }

    @Test(.enabled(if: Tmpfs.isPossible, noRoot))
    func theLastByteIsSurvivedAndTheTextSearchCatchesUpWithoutAnotherWrite() async throws {
        try await withDisk(16, reserve: 0) { disk, engine, client in
            for number in 0..<20 { try client.add("Bondi \(number)") }
            try disk.fill(leaving: 300_000)
            var held = 20
            let note = String(repeating: "word ", count: 1_000)
            while engine.control.condition == .writable, held < 5_000 {
                do {
                    try client.add("Manly \(held)", note: note)
                    held += 1
                } catch EngineError.full {}
            }
            #expect(engine.control.condition == .full(room: nil, reserve: 0))
            #expect(try await client.all().count == held)
            // It tries by itself, and finds that there is none.
            try disk.fill(leaving: 0)
            let head = engine.position.rev
            try await Task.sleep(for: .milliseconds(100))
            engine.recover()
            #expect(try await client.all().count == held)
            try disk.empty()
            try await until("there is room again", within: .seconds(120)) {
                engine.recover()
                return engine.control.condition == .writable
            }
            #expect(engine.position.rev == head)
            try await until("the text search has come to the head", within: .seconds(120)) {
                try await engine.index.reached().rev == head
            }
            try client.add("Coogee")
        }
    }

    @Test func aTextSearchWithoutAFileIsKeptInMemory() async throws {
        let client = try EngineClient(.disk)
        try client.add("Bondi")
        let log = client.engine.reader
        let run = try #require(client.engine.position.run)
        let index = try SearchIndex(
            path: "/nowhere/at/all/search.sqlite", position: client.engine.position, run: run,
            log: log, patience: .seconds(60), logger: .silent)
        defer { index.close() }
        try await index.reach(1)
        let found = try await index.search(
            try SearchText("bondi"), limit: 5, filter: LandmarkFilter(), atLeast: 1)
        #expect(found.matches.count == 1)
    }
}
