// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import Support
import SwiftProtobuf
import TestPostgreSQL
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules
@testable import StorageService

@Suite("Backups", .inTurn)
struct BackupTests {
    /// The copy as a file of a new folder.
    static func written(_ copy: DatabaseCopy) throws -> (scratch: Scratch, file: String) {
        let scratch = Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        var bytes = Data()
        while true {
            let piece = try copy.read(at: UInt64(bytes.count), count: 10_000)
            if piece.isEmpty { break }
            bytes += piece
        }
        #expect(UInt64(bytes.count) == copy.bytes && Data(SHA256.hash(bytes.bytes)) == copy.sha256)
        try bytes.write(to: URL(fileURLWithPath: scratch.path + "/backup"))
        return (scratch, scratch.path + "/backup")
    }

    /// Adds, edits and removes, at random.
    private static func writeSomething(
        _ client: EngineClient, _ ids: inout [Landmark.ID], _ random: inout SplitMix64
    ) throws {
        var batch: [WriteRequest] = []
        for _ in 0..<10 {
            switch (ids.randomElement(using: &random), random.next() % 4) {
            case (let id?, 0): batch.append(client.request(.remove(id, ifVersion: nil)))
            case (let id?, 1):
                batch.append(
                    client.request(.edit(id, try LandmarkEdit(name: "edited \(random.next())"), ifVersion: nil)))
            default: batch.append(client.request(.add(try draft("\(random.next())"), note: "A note.")))
            }
        }
        for reply in try client.apply(batch) {
            if case .written(let written) = reply.result, let id = UUIDv7(bytes: written.id) { ids.append(id) }
        }
    }

    /// Landmarks and log agree at the head that the file itself has.
    static func check(_ file: String) async throws -> Position {
        let queue = try DatabaseQueue(path: file)
        let (position, landmarks, log, sound) = try await queue.read { db in
            (
                try ReadTables(db).position(),
                try [UInt8].fetchAll(db, sql: "SELECT record FROM landmarks ORDER BY key"),
                try [UInt8].fetchAll(db, sql: "SELECT payload FROM changes ORDER BY rev"),
                try String.fetchOne(db, sql: "PRAGMA integrity_check")
            )
        }
        queue.close()
        #expect(sound == "ok" && log.count == Int(position.rev))
        var state: [Landmark.ID: Landmark] = [:]
        for bytes in log {
            let change = try Change(encoded: bytes)
            state[change.landmark.id] = change.operation == .removed ? nil : change.landmark
        }
        let kept = try landmarks.map { try StoredLandmark(record: $0).landmark }
        #expect(kept == state.values.sorted { $0.id < $1.id })
        return position
    }

    @Test(arguments: Home.allCases)
    func copiesAreOfOneRevisionWhileWritesGoOn(home: Home) async throws {
        let client = try EngineClient(home)
        var random = SplitMix64(seed: 3)
        var ids: [Landmark.ID] = []
        for _ in 0..<30 { try Self.writeSomething(client, &ids, &random) }
        for _ in 0..<5 {
            let before = client.engine.position.rev
            let copier = client.engine.copier
            let making = Task { try await copier.copy() }
            for _ in 0..<30 {
                try Self.writeSomething(client, &ids, &random)
                await Task.yield()
            }
            let copy = try await making.value
            let (scratch, file) = try Self.written(copy)
            let position = try await Self.check(file)
            #expect(position == copy.position && position.run == client.engine.position.run)
            #expect((before...client.engine.position.rev).contains(position.rev))
            let restored = Scratch()
            let outcome = try DatabaseRestore.run(file, into: restored.path, force: false)
            #expect(outcome.position.rev == position.rev && outcome.position.epoch != position.epoch)
            #expect(outcome.kept == nil && outcome.bytes > 0)
            let engine = try SQLiteEngine(directory: restored.path, logger: .silent)
            #expect(engine.position.rev == position.rev && engine.position.epoch == outcome.position.epoch)
            await #expect(throws: EngineError.otherHistory) {
                try await engine.reader.changes(since: 1, run: position.run, limit: 1, maxBytes: 1)
            }
            engine.close()
            _ = scratch
        }
    }

    @Test(.onSQLite("looks into SQLite's file")) func nothingIsLeftOfACopy() async throws {
        let client = try EngineClient(.disk)
        try client.add("Bondi")
        let path = try #require(client.scratch?.path)
        func drafts() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.contains("copy") }
        }
        var copy: DatabaseCopy? = try await client.engine.copier.copy()
        // It has no name any more, and is still there.
        #expect(try drafts() == [])
        #expect(try copy?.read(at: 0, count: 15) == Data("SQLite format 3".utf8))
        #expect(try copy?.read(at: .max, count: 15) == Data())
        copy = nil
        // As a killed process leaves it.
        for name in [".copy-x.partial", ".copy-x.partial-journal"] {
            #expect(FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data([1])))
        }
        try client.reopen()
        #expect(try drafts() == [])
        client.engine.close()
        await #expect(throws: EngineError.closed) { try await client.engine.copier.copy() }
        #expect(try drafts() == [])
    }

    @Test func oneAtATimeAndTheSameAgainForWhoAskedForIt() {
        let copy = { () throws -> DatabaseCopy in
            let scratch = Scratch()
            try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: scratch.path + "/x"))
            return try DatabaseCopy(path: scratch.path + "/x", position: Position(epoch: UUIDv7.new(), rev: 1))
        }
        guard let copy = try? copy() else {
            Issue.record("no copy")
            return
        }
        let (mine, later) = (
            RequestKey(client: .init(high: 1, low: 1), sequence: 4),
            RequestKey(client: .init(high: 1, low: 1), sequence: 5)
        )
        let theirs = RequestKey(client: .init(high: 2, low: 1), sequence: 4)
        var shelf = BackupShelf()
        #expect(!shelf.joined(by: mine) && shelf.taken(by: mine, now: 0) == nil)
        shelf.making = BackupShelf.Making(task: Task { throw EngineError.closed }, keys: [mine])
        #expect(shelf.joined(by: mine) && shelf.joined(by: later) && !shelf.joined(by: theirs))
        let id = UUIDv7.new()
        shelf.offer = BackupShelf.Offer(id: id, copy: copy, keys: [mine], used: 1_000)
        #expect(shelf.taken(by: mine, now: 2_000)?.id == id && shelf.taken(by: theirs, now: 2_000) == nil)
        #expect(shelf.taken(by: later, now: 3_000)?.id == id)
        // A copy of the request that comes late must not end what is being read.
        shelf.offer?.isRead = true
        #expect(shelf.taken(by: later, now: 4_000)?.id == id)
        let another = RequestKey(client: .init(high: 1, low: 1), sequence: 6)
        #expect(shelf.taken(by: another, now: 4_000) == nil)
        shelf.dropUnread(now: 63_999)
        #expect(shelf.offer != nil)
        shelf.dropUnread(now: 64_000)
        #expect(shelf.offer == nil)
    }
}
