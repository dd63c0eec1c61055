// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageOnSQLite
@testable import StorageRules

@Suite("Restoring", .onSQLite("puts a file of SQLite back"), .inShortTurn)
struct RestoreTests {
    /// A backup of an engine with two landmarks, and that engine with a third one.
    private func prepared() async throws -> (client: EngineClient, backup: String, scratch: Scratch) {
        let client = try EngineClient(.disk)
        try client.add("Bondi")
        try client.add("Manly")
        let (scratch, file) = try BackupTests.written(try await client.engine.copier.copy())
        try client.add("Coogee")
        #expect(try await client.search("coogee") == ["Coogee"])
        return (client, file, scratch)
    }

    private func refusal(_ file: String, _ directory: String, force: Bool = false) throws -> RestoreError? {
        #expect(throws: RestoreError.self) { try DatabaseRestore.run(file, into: directory, force: force) }
    }

    private func names(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    @Test func replacesWhatIsThereAndKeepsIt() async throws {
        let (client, backup, scratch) = try await prepared()
        let path = try #require(client.scratch?.path)
        let old = client.engine.position
        client.engine.close()
        #expect(try refusal(backup, path) == .exists(path + "/waymark.sqlite"))
        let restored = try DatabaseRestore.run(backup, into: path, force: true)
        let kept = try #require(restored.kept)
        #expect(
            try names(path) == ["lock", "waymark.sqlite", (kept as NSString).lastPathComponent])
        #expect(kept.contains("waymark.sqlite.before-"))
        try client.reopen()
        #expect(client.engine.position.epoch == restored.position.epoch && client.engine.position.rev == 2)
        #expect(try await client.all().map(\.name) == ["Bondi", "Manly"])
        #expect(try await client.search("coogee") == [])
        #expect(try await client.search("manly") == ["Manly"])
        #expect(try client.add("Tamarama").rev == 3)
        client.engine.close()
        // What was there is whole, and can be put back in its turn.
        let back = try DatabaseRestore.run(kept, into: path, force: true)
        #expect(back.position.rev == 3 && ![old.epoch, restored.position.epoch].contains(back.position.epoch))
        try client.reopen()
        #expect(try await client.all().map(\.name) == ["Bondi", "Manly", "Coogee"])
        _ = scratch
    }

    @Test func copyByHandIsTakenWithItsLogOfWrites() async throws {
        let client = try EngineClient(.disk)
        for number in 0..<20 { try client.add("\(number)") }
        let path = try #require(client.scratch?.path)
        let copy = Scratch()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: "\(path)/waymark.sqlite\(suffix)", toPath: "\(copy.path)/c\(suffix)")
        }
        #expect(try DatabaseRestore.run(copy.path + "/c", into: copy.path, force: false).position.rev == 20)
        #expect(try names(copy.path) == ["c", "c-wal", "lock", "waymark.sqlite"])
    }

    @Test func isRefusedByNameWhileStorageRuns() async throws {
        let (client, backup, scratch) = try await prepared()
        let path = try #require(client.scratch?.path)
        let pid = ProcessInfo.processInfo.processIdentifier
        #expect(try refusal(backup, path, force: true) == .inUse(directory: path, pid: pid))
        #expect(client.engine.position.rev == 3)
        try client.add("Tamarama")
        _ = scratch
    }

    @Test func whatIsNoBackupIsRefusedAndNothingChanges() async throws {
        let (client, backup, scratch) = try await prepared()
        let path = try #require(client.scratch?.path)
        client.engine.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path + "/waymark.sqlite"))
        let all = try names(path)
        func file(_ name: String, _ bytes: Data) throws -> String {
            try bytes.write(to: URL(fileURLWithPath: scratch.path + "/" + name))
            return scratch.path + "/" + name
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: backup))
        let nowhere = scratch.path + "/nowhere"
        #expect(try refusal(nowhere, path, force: true) == .unreadable(nowhere))
        #expect(try refusal(scratch.path, path, force: true) == .unreadable(scratch.path))
        for text in ["", "What is this?", "SQLite format 3"] {
            let other = try file("other", Data(text.utf8))
            #expect(try refusal(other, path, force: true) == .notWaymark(other))
        }
        let foreign = scratch.path + "/foreign"
        let queue = try DatabaseQueue(path: foreign)
        try await queue.write { db in try db.execute(sql: "CREATE TABLE theirs (x)") }
        queue.close()
        #expect(try refusal(foreign, path, force: true) == .notWaymark(foreign))
        for size in [100, whole.count / 2, whole.count - 1] {
            let cut = try file("cut", whole.prefix(size))
            guard case .damaged(cut, _) = try refusal(cut, path, force: true) else {
                Issue.record("\(size) of \(whole.count) bytes were taken")
                continue
            }
        }
        var bytes = whole
        for index in 4_096..<6_000 { bytes[index] = 0xa5 }
        let flipped = try file("flipped", bytes)
        guard case .damaged = try refusal(flipped, path, force: true) else {
            Issue.record("damaged bytes were taken")
            return
        }
        let newer = try file("newer", whole)
        let later = try DatabaseQueue(path: newer)
        try await later.write { db in try db.execute(sql: "INSERT INTO waymark_migrations VALUES ('9 of tomorrow')") }
        later.close()
        #expect(
            try refusal(newer, path, force: true) == .newerSchema(newer, found: "9 of tomorrow", known: "4 people"))
        #expect(try names(path) == all)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/waymark.sqlite")) == before)
    }

    /// Each state in which a crash can leave the directory after the one step that decides.
    @Test(arguments: 0...4)
    func crashAfterTheSwitchIsFinishedByTheNextStart(steps: Int) async throws {
        let (client, backup, scratch) = try await prepared()
        let path = try #require(client.scratch?.path)
        let file = path + "/waymark.sqlite"
        // As a killed process leaves it: with a log of writes that has to be kept away from the new file.
        let killed = Scratch()
        try FileManager.default.copyItem(atPath: path, toPath: killed.path)
        client.engine.close()
        let new = Scratch()
        let restored = try DatabaseRestore.run(backup, into: new.path, force: false)
        let main = killed.path + "/waymark.sqlite"
        try FileManager.default.copyItem(atPath: new.path + "/waymark.sqlite", toPath: main + ".new")
        let time = UInt64(1_700_000_000_123)
        let date = Date(timeIntervalSince1970: Double(time) / 1_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: main + ".new")
        var status = stat()
        #expect(stat(main + ".new", &status) == 0)
        let stamp = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        let before = "\(main).before-\(stamp)"
        let moves = [(main, before), (main + "-wal", before + "-wal")]
        for (from, to) in moves.prefix(steps) { try FileManager.default.moveItem(atPath: from, toPath: to) }
        if steps > 2 { try FileManager.default.removeItem(atPath: main + "-shm") }
        if steps > 3 { try FileManager.default.removeItem(atPath: killed.path + "/search.sqlite") }
        for _ in 0..<2 {
            let engine = try SQLiteEngine(directory: killed.path, logger: .silent)
            #expect(engine.position.epoch == restored.position.epoch && engine.position.rev == 2)
            #expect(try await engine.reader.changes(since: 0, limit: 9, maxBytes: .max).changes.count == 2)
            engine.close()
        }
        // The old one is whole beside it.
        let old = Scratch()
        #expect(try DatabaseRestore.run(before, into: old.path, force: false).position.rev == 3)
        _ = (scratch, file)
    }

    @Test func damagedDatabaseCanBeReplaced() async throws {
        let (client, backup, scratch) = try await prepared()
        let path = try #require(client.scratch?.path)
        client.engine.close()
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: path + "/waymark.sqlite"))
        try Data("rubbish too".utf8).write(to: URL(fileURLWithPath: path + "/waymark.sqlite-wal"))
        let kept = try #require(try DatabaseRestore.run(backup, into: path, force: true).kept)
        try client.reopen()
        #expect(try await client.all().count == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == Data("rubbish".utf8))
        _ = scratch
    }
}
