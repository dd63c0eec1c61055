// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Glibc
import Landmarks
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules

@Suite(
    "A start on a full disk", .onSQLite("the disk of SQLite's file"), .inTurn,
    .enabled(if: Tmpfs.isPossible, "a small disk is a tmpfs, and to mount one needs root"))
struct FullStartTests {
    @Test("a start needs no room to read", arguments: [0, 20_000, 60_000])
    func startsOnAFullDisk(left: Int) async throws {
        let scratch = Scratch()
        let disk = try Tmpfs(at: scratch.path, megabytes: 16)
        defer { disk.close() }
        var tuning = EngineTuning()
        tuning.diskPause = .zero
        tuning.searchPatience = .seconds(60)
        func engine() throws -> SQLiteEngine {
            try SQLiteEngine(directory: scratch.path, tuning: tuning, logger: .silent)
        }
        let client = try EngineClient(.memory)
        client.engine.close()
        client.engine = try engine()
        for number in 0..<20 { try client.add("Bondi \(number)") }
        #expect(try await client.search("bondi").count == 20)
        client.engine.close()
        try disk.fill(leaving: left)
        // Not only once.
        for _ in 0..<3 {
            let reading = try engine()
            client.engine = reading
            #expect(try await client.all().count == 20)
            let position = reading.position
            #expect(position.rev == 20)
            let page = try await reading.reader.changes(
                since: 3, run: position.run, matching: .everything, limit: 100, maxBytes: .max)
            #expect(page.changes.count == 17)
            #expect(try await client.search("bondi").count == 20)
            if left == 0 {
                #expect(throws: EngineError.full) { try client.add("refused") }
                guard case .full = reading.control.condition else {
                    Issue.record("\(reading.control.condition)")
                    return
                }
            }
            reading.close()
        }
        let last = try engine()
        client.engine = last
        let start = last.position
        try disk.empty()
        last.recover()
        #expect(last.control.condition == .writable)
        #expect(try client.add("Coogee").rev == 21)
        #expect(try await client.search("Coogee") == ["Coogee"])
        let end = last.position
        last.close()
        // Positions handed out before there was room are of this history.
        let next = try engine()
        client.engine = next
        for position in [start, end] {
            let page = try await next.reader.changes(
                since: position.rev, run: position.run, matching: .everything, limit: 100, maxBytes: .max)
            #expect(page.changes.count == Int(21 - position.rev))
        }
        next.close()
    }

    @Test("a new database needs room: the start is refused, and nothing is promised of reads")
    func newDatabase() throws {
        let scratch = Scratch()
        let disk = try Tmpfs(at: scratch.path, megabytes: 1)
        defer { disk.close() }
        try disk.fill(leaving: 0)
        let error = #expect(throws: EngineError.self) { try SQLiteEngine(directory: scratch.path, logger: .silent) }
        #expect(error == .noRoom(place: scratch.path), "\(String(describing: error))")
        try disk.empty()
        #expect(throws: Never.self) { try SQLiteEngine(directory: scratch.path, logger: .silent).close() }
    }

    @Test("a directory without room is told as that, and not as one of somebody else")
    func noRoomForTheDirectory() {
        for code in [ENOSPC, EDQUOT] {
            #expect(DataDirectory.unusable("/d", "made", code) == .noRoom(place: "/d"))
        }
        let denied = DataDirectory.unusable("/d", "made", EACCES)
        #expect("\(denied)".contains("let this user write there"), "\(denied)")
    }
}
