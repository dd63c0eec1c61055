// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules

@Suite("Opening a data directory", .onSQLite("SQLite's files"), .inShortTurn)
struct OpeningTests {
    private func open(_ path: String) throws -> SQLiteEngine { try SQLiteEngine(directory: path, logger: .silent) }

    @Test func whatWasAcknowledgedIsThereAgain() async throws {
        let client = try EngineClient(.disk)
        let epoch = client.engine.position.epoch
        let added = try client.add("Bondi", note: "Surf")
        let before = try await client.all()
        for _ in 0..<3 {
            try client.reopen()
            #expect(client.engine.position.epoch == epoch && client.engine.position.rev == 1)
            #expect(try await client.all() == before)
        }
        #expect(try client.write(.addNote(added.id, text: "Sand")).rev == 2)
    }

    /// As after a kill: the WAL was never taken into the file.
    @Test func copyOfTheFilesInMidFlightIsWhole() async throws {
        let client = try EngineClient(.disk)
        for number in 0..<50 { try client.add("\(number)") }
        let path = try #require(client.scratch?.path)
        let copy = Scratch()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        for file in ["waymark.sqlite", "waymark.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: "\(path)/\(file)", toPath: "\(copy.path)/\(file)")
        }
        let engine = try open(copy.path)
        #expect(engine.position.epoch == client.engine.position.epoch && engine.position.rev == 50)
        #expect(try await engine.reader.changes(since: 0, limit: 99, maxBytes: .max).changes.count == 50)
    }

    @Test func secondOpeningIsRefusedWithDirectoryAndPid() throws {
        let client = try EngineClient(.disk)
        let path = try #require(client.scratch?.path)
        #expect(throws: EngineError.locked(directory: path, pid: ProcessInfo.processInfo.processIdentifier)) {
            try open(path)
        }
        client.engine.close()
        #expect(throws: Never.self) { try open(path).close() }
    }

    @Test func directoryIsForItsOwnerAlone() throws {
        let client = try EngineClient(.disk)
        let path = try #require(client.scratch?.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    @Test func commitsAreFlushedBeforeTheyAreAnswered() throws {
        let client = try EngineClient(.disk)
        let synchronous = try client.sqlite.probe { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") }
        let journal = try client.sqlite.probe { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
        #expect(synchronous == 2 && journal == "wal")
    }

    @Test func readersCannotWrite() async throws {
        let client = try EngineClient(.disk)
        try client.add("one")
        let reader = client.engine.reader
        let database = try #require(reader as? SQLiteReaders).database
        for sql in ["DELETE FROM changes", "PRAGMA query_only = 0; DELETE FROM changes"] {
            let error = await #expect(throws: DatabaseError.self) {
                try await database.read { (db: Database) in try db.execute(sql: sql) }
            }
            #expect(error?.resultCode == .readOnly)
        }
        #expect(client.engine.position.rev == 1)
    }

    @Test func newerSchemaIsRefused() throws {
        let scratch = Scratch()
        try open(scratch.path).close()
        let file = scratch.path + "/waymark.sqlite"
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in try db.execute(sql: "INSERT INTO waymark_migrations VALUES ('3 of tomorrow')") }
        queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let refusal = EngineError.newerSchema(path: file, found: "3 of tomorrow", known: "4 people")
        #expect(throws: refusal) { try open(scratch.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        #expect("\(refusal)".contains("3 of tomorrow") && "\(refusal)".contains("4 people"))
    }

    @Test func databaseOfAnotherProgramIsRefusedAndLeftAlone() throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let file = scratch.path + "/waymark.sqlite"
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in try db.execute(sql: "CREATE TABLE theirs (x)") }
        queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(throws: EngineError.foreignFile(path: file)) { try open(scratch.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    }

    @Test(arguments: [0, 20, 4_096])
    func damagedFileIsRefusedByName(offset: Int) throws {
        let client = try EngineClient(.disk)
        for number in 0..<500 { try client.add("\(number)") }
        client.engine.close()
        let scratch = try #require(client.scratch)
        let url = URL(fileURLWithPath: scratch.path + "/waymark.sqlite")
        var bytes = try Data(contentsOf: url)
        for index in offset..<(offset + 8_000) { bytes[index] = 0xa5 }
        try bytes.write(to: url)
        // A file system may not tell two moments apart that are so near.
        let later = Date(timeIntervalSinceNow: 2)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: url.path)
        let error = #expect(throws: EngineError.self) { try open(scratch.path) }
        guard case .corrupted = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("after an orderly stop the file is not read whole, after any other one it is")
    func orderlyStop() async throws {
        let client = try EngineClient(.disk)
        let path = try #require(client.scratch?.path)
        func isInOrder(_ path: String) throws -> Bool { try DataDirectory(path: path).wasLeftInOrder }
        for number in 0..<50 { try client.add("\(number)") }
        // As a loss of power would leave it: nothing was closed.
        let copy = Scratch()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        #expect(try !isInOrder(copy.path))
        client.engine.close()
        let lock = try String(contentsOfFile: path + "/lock", encoding: .utf8)
        #expect(lock.hasPrefix("closed "))
        try client.reopen()
        client.engine.close()
        #expect(try isInOrder(path))
        // Whoever looked has it, and has not closed it.
        #expect(try !isInOrder(path))
        try client.reopen()
        client.engine.close()
        // Another program wrote to it, or it is another file.
        let past = Date(timeIntervalSinceNow: -5)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path + "/waymark.sqlite")
        #expect(try !isInOrder(path))
    }

    @Test("a stop after damage was met is none to rely on")
    func stopAfterDamage() throws {
        let client = try EngineClient(.disk)
        let id = try client.add("Bondi").id
        try client.sqlite.probe { db in try db.execute(sql: "UPDATE changes SET landmarks = 0") }
        try client.reopen()
        _ = try client.send(.remove(id, ifVersion: nil))
        client.engine.close()
        #expect(try !DataDirectory(path: try #require(client.scratch?.path)).wasLeftInOrder)
    }

    @Test func fileThatWasNeverFilledIsTakenForNew() throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: scratch.path + "/waymark.sqlite", contents: Data()))
        #expect(try open(scratch.path).position.rev == 0)
    }

    @Test func directoryThatCannotBeMadeIsNamed() throws {
        let scratch = Scratch()
        #expect(FileManager.default.createFile(atPath: scratch.path, contents: Data()))
        let error = #expect(throws: EngineError.self) { try open(scratch.path + "/data") }
        guard case .unusableDirectory(let path, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasPrefix(scratch.path))
    }
}
