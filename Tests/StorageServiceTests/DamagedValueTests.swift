// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

@Suite(
    "A damaged number ends in an error that is named, at each try", .onSQLite("damages rows of SQLite"), .inShortTurn)
struct DamagedValueTests {
    /// A client of a database in which one landmark is, and in which this was done.
    private func damaged(_ sql: String) throws -> (EngineClient, Landmark.ID) {
        let client = try EngineClient(.disk)
        let id = try client.add("Bondi").id
        _ = try client.send(.beginFetch(fetch))
        try client.sqlite.probe { db in try db.execute(sql: sql) }
        return (client, id)
    }

    private let fetch = WireBeginFetch.with { ($0.source, $0.url, $0.format) = ("s", "u", "f") }

    private func isNamed(_ reply: WireReply) -> Bool {
        reply.failure.code == ErrorCode.internal.rawValue && reply.failure.message.contains("damaged")
    }

    @Test(arguments: [0, -1, Int64.max])
    func countOfLandmarks(count: Int64) throws {
        let (client, id) = try damaged("UPDATE changes SET landmarks = \(count)")
        try client.reopen()
        for _ in 0..<2 {
            // Of none, none can be removed; from the others none can be counted on.
            #expect(isNamed(try client.send(.remove(id, ifVersion: nil))))
            if count != 0 { #expect(isNamed(try client.send(.add(try draft("new"), note: nil)))) }
        }
        #expect(client.engine.position.rev == 1)
    }

    @Test(arguments: [Int64.max, -1, 0])
    func revision(rev: Int64) throws {
        let (client, _) = try damaged("UPDATE changes SET rev = \(rev)")
        for _ in 0..<2 {
            #expect { try client.reopen() } throws: { error in
                if case .corrupted? = error as? EngineError { true } else { false }
            }
        }
    }

    @Test(arguments: ["answers", "forgotten"], [Int64.max, -1])
    func rowsOfAnswers(table: String, id: Int64) throws {
        let columns = table == "answers" ? "0, 0, 0, 0, 0, x''" : "0, 0, 0"
        let (client, _) = try damaged("DELETE FROM \(table); INSERT INTO \(table) VALUES (\(id), \(columns))")
        for _ in 0..<2 {
            #expect { try client.reopen() } throws: { error in
                if case .corrupted? = error as? EngineError { true } else { false }
            }
        }
    }

    @Test func version() async throws {
        let (client, id) = try damaged("SELECT 1")
        var landmark = try await client.landmark(id)
        landmark.version = .max
        let record = landmark.encoded
        try client.sqlite.probe { db in try db.execute(sql: "UPDATE landmarks SET record = ?", arguments: [record]) }
        for _ in 0..<2 { #expect(isNamed(try client.send(.addNote(id, text: "x")))) }
        // Others go on.
        try client.add("Manly")
    }

    @Test func attemptsOfFetches() throws {
        let (client, _) = try damaged("UPDATE fetches SET attempts = -1, failures = -1, attempted = 0")
        for _ in 0..<2 {
            #expect(isNamed(try client.send(.beginFetch(fetch))))
            let outcome = WireFetchOutcome.with { $0.result = .failed }
            #expect(isNamed(try client.send(.endFetch(source: "s", outcome))))
        }
    }
}
