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

@Suite("A request that is sent again", .inShortTurn)
struct RetryTests {
    @Test(arguments: Home.allCases)
    func isAnsweredWithTheSameBytesAndMakesNothing(home: Home) async throws {
        let client = try EngineClient(home)
        let request = client.request(.add(try draft("Bondi"), note: "Surf"))
        let refusal = client.request(.remove(UUIDv7(high: 9, low: 9), ifVersion: nil))
        let first = try client.engine.apply([request, refusal])
        for _ in 0..<10 {
            let again = try client.engine.apply([refusal, request])
            #expect(again.replies == first.replies.reversed() && again.changes.isEmpty)
            if home == .disk { try client.reopen() }
        }
        #expect(client.engine.position.rev == 1)
        #expect(try await client.all().count == 1)
    }

    @Test(arguments: Home.allCases)
    func twoCopiesInOneBatchMakeOneRevision(home: Home) throws {
        let client = try EngineClient(home)
        let request = client.request(.add(try draft("Bondi"), note: nil))
        let applied = try client.engine.apply([request, request])
        #expect(applied.replies[0] == applied.replies[1] && applied.changes.count == 1)
    }

    @Test(arguments: Home.allCases)
    func withAnotherBodyIsAConflictThatIsNotRemembered(home: Home) throws {
        let client = try EngineClient(home)
        let request = client.request(.add(try draft("Bondi"), note: nil))
        let first = try client.engine.apply([request])
        var other = request
        other.digest = RequestDigest(of: Array("other".utf8))
        let reply = try client.apply([other])[0]
        #expect(reply.failure.code == ErrorCode.requestConflict.rawValue)
        #expect(try client.engine.apply([request]).replies == first.replies)
        #expect(client.engine.position.rev == 1)
    }

    /// It is kept in databases, so another release has to make the same: the first half of SHA-256("armando\0abc").
    @Test func theDigestOfARequestIsTheSameInEveryRelease() {
        #expect(
            RequestDigest(of: Array("abc".utf8), user: "armando")
                == RequestDigest(high: 0x7998_1161_91cc_3f3b, low: 0xc154_1220_1b7c_ef0e))
    }

    @Test(arguments: Home.allCases)
    func ofAnotherClientIsAnotherRequest(home: Home) throws {
        let client = try EngineClient(home)
        let request = client.request(.add(try draft("Bondi"), note: nil))
        var other = request
        other.client = UUIDv7(high: 1, low: 2)
        #expect(try client.engine.apply([request, other]).changes.count == 2)
    }

    @Test(arguments: Home.allCases)
    func isRefusedByNameOnceItHasLeftTheWindow(home: Home) async throws {
        let client = try EngineClient(home, window: AnswerWindow(count: 10, step: 2))
        let request = client.request(.add(try draft("Bondi"), note: nil))
        let first = try client.engine.apply([request])
        for number in 0..<10 { try client.add("\(number)") }
        #expect(try client.engine.apply([request]).replies == first.replies)
        for number in 0..<2 { try client.add("\(number)") }
        // Also after a restart, and when much more has come since.
        for _ in 0..<2 {
            #expect(try client.code(request) == .forgotten)
            if home == .disk { try client.reopen() }
            for number in 0..<20 { try client.add("\(number)") }
        }
        #expect(client.engine.position.rev == 53)
        #expect(try client.rememberedAnswers <= 12)
        // Another client's numbers are its own.
        var other = request
        other.client = UUIDv7(high: 1, low: 2)
        #expect(try client.code(other) == nil)
    }

    @Test(arguments: Home.allCases)
    func aBatchLargerThanTheWindowKeepsItsOwnAnswersUntilTheNext(home: Home) throws {
        let client = try EngineClient(home, window: AnswerWindow(count: 10, step: 2))
        for _ in 0..<2 {
            let batch = try (0..<30).map { client.request(.add(try draft("\($0)"), note: nil)) }
            let first = try client.engine.apply(batch)
            #expect(try client.engine.apply(batch).replies == first.replies)
        }
    }

    @Test(arguments: Home.allCases)
    func whatWasForgottenIsKnownInBoundedRoom(home: Home) throws {
        let client = try EngineClient(home, window: AnswerWindow(count: 10, step: 2, marks: 20))
        // The client that comes back, among many that come once.
        let request = client.request(.add(try draft("Bondi"), note: nil))
        _ = try client.engine.apply([request])
        for number in 0..<200 {
            var other = client.request(.add(try draft("\(number)"), note: nil))
            other.client = UUIDv7(high: 2, low: UInt64(number))
            _ = try client.engine.apply([other])
            if number > 12, number < 25 { #expect(try client.code(request) == .forgotten) }
        }
        #expect(try client.marks <= 22)
        let marks = try client.marks
        if home == .disk {
            try client.reopen()
            #expect(try client.marks == marks)
        }
    }

    @Test(.onSQLite("looks into SQLite's file"), arguments: Home.allCases)
    func aBatchThatWasTakenBackForgetsNothing(home: Home) throws {
        let client = try EngineClient(home, window: AnswerWindow(count: 10, step: 2))
        let request = client.request(.add(try draft("Bondi"), note: nil))
        let first = try client.engine.apply([request])
        for number in 0..<10 { try client.add("\(number)") }
        try client.sqlite.probe { db in
            try db.execute(
                sql: "CREATE TRIGGER refuse BEFORE DELETE ON answers BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
        }
        let late = try (0..<3).map { client.request(.add(try draft("late \($0)"), note: nil)) }
        #expect(throws: EngineError.self) { try client.engine.apply(late) }
        #expect(try client.engine.apply([request]).replies == first.replies)
        try client.sqlite.probe { db in try db.execute(sql: "DROP TRIGGER refuse") }
        #expect(try client.engine.apply(late).changes.count == 3)
        #expect(try client.code(request) == .forgotten)
    }

    @Test func isRefusedAfterAnHourOfRunning() throws {
        let clock = HandClock()
        var tuning = EngineTuning()
        (tuning.answers.age, tuning.uptime) = (.seconds(3_600), { clock.now })
        let engine = try SQLiteEngine.inMemory(tuning: tuning, logger: .silent)
        let request = WriteRequest(
            client: UUIDv7(high: 1, low: 1), sequence: 1, digest: RequestDigest(high: 1, low: 1),
            caller: .anyone(user: "armando"),
            now: 5, command: .add(try draft("Bondi"), note: nil))
        var other = request
        other.sequence = 2
        // A wall clock that jumps by years changes nothing.
        other.now = 99_000_000_000_000
        _ = try engine.apply([request])
        clock.now += .seconds(3_599)
        _ = try engine.apply([other])
        #expect(try engine.apply([request]).changes.isEmpty)
        clock.now += .seconds(2)
        #expect(try engine.apply([other]).changes.isEmpty)
        let reply = try WireReply(serializedBytes: try engine.apply([request]).replies[0])
        #expect(ErrorCode(rawValue: reply.failure.code) == .forgotten)
        #expect(try engine.apply([other]).changes.isEmpty && engine.position.rev == 2)
    }
}

/// Stands still until it is told otherwise.
private final class HandClock: @unchecked Sendable {
    // Read and set by one test's one thread.
    var now: Duration = .seconds(10)
}

extension EngineClient {
    /// What a request that is sent again is refused with.
    func code(_ request: WriteRequest) throws -> ErrorCode? {
        ErrorCode(rawValue: try apply([request])[0].failure.code)
    }

    var marks: Int {
        get throws { try Int(integers("SELECT count(*) FROM forgotten").first ?? -1) }
    }

    var rememberedAnswers: Int {
        get throws { try Int(integers("SELECT count(*) FROM answers").first ?? -1) }
    }
}
