// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import PostgreSQL

@Suite("PostgreSQL without a server", .inShortTurn)
struct InternalsTests {
    @Test("the first word of a statement is found behind spaces and comments")
    func effects() throws {
        for (text, effect) in [
            ("COMMIT", .commits), (" \n\tcommit;", .commits), ("-- BEGIN\nEnd", .commits), (";;commit", .commits),
            ("/* a /* b */ COMMIT */ begin", .begins), ("START TRANSACTION", .begins), ("rollback", .rollsBack),
            ("PREPARE TRANSACTION 'x'", .commits), ("COMMITTED", .other), ("", .other), ("/* open", .other),
            ("--", .other), ("SELECT 'COMMIT'", .other), ("SHOW x", .shows), ("/", .other), ("-", .other),
            ("ABORT", .rollsBack),
        ] as [(String, SQLText.Effect)] {
            #expect(try SQLText(text).effect == effect, "\(text)")
        }
    }

    @Test("whether a COMMIT is unanswered")
    func unanswered() {
        func isSent(_ effects: SQLText.Effect...) -> Bool {
            var unanswered = UnansweredCommit()
            for effect in effects { unanswered.send(effect) }
            return unanswered.isSent
        }
        #expect(!isSent(.begins) && !isSent(.begins, .other) && !isSent(.rollsBack) && !isSent(.shows))
        #expect(isSent(.other) && isSent(.begins, .other, .commits) && isSent(.commits))
        #expect(isSent(.begins, .rollsBack, .other) && isSent(.other, .begins))
        var later = UnansweredCommit()
        later.send(.other)
        later.settle(isInsideTransaction: true)
        later.send(.other)
        #expect(!later.isSent)
        later.sendScript()
        #expect(later.isSent)
        later.settle(isInsideTransaction: false)
        #expect(!later.isSent)
    }

    @Test("a message of almost 1 GiB is refused before it is sent")
    func sizes() throws {
        try Parameters.checkSize(0x3fff_0000)
        #expect(throws: ParameterError.tooLarge(0x3fff_0001)) { try Parameters.checkSize(0x3fff_0001) }
    }

    @Test("times of any length are deadlines")
    func deadlines() {
        #expect(Deadline(after: .seconds(Int64.max)).milliseconds > 1_000)
        #expect(Deadline(after: .zero).milliseconds == 0 && Deadline(after: .seconds(-5)).milliseconds == 0)
        #expect((1...60_001).contains(Deadline(after: .seconds(60)).milliseconds))
    }

    @Test("the SQLSTATE of a refused connection is found in libpq's words, in any language")
    func refusals() {
        let text = """
            connection to server at "::1", port 5432 failed: Connection refused
            connection to server at "127.0.0.1", port 5432 failed: FATAL:  28P01: password authentication failed
            LOCATION:  auth_failed, auth.c:335
            """
        let refusal = LibpqMessage(text).refusal
        #expect(refusal?.sqlstate == "28P01" && refusal?.message == "password authentication failed")
        #expect(LibpqMessage("… failed: VALVORLIG:  53300: for mange").refusal?.sqlstate == "53300")
        #expect(LibpqMessage("Connection refused").refusal == nil && LibpqMessage("").firstLine == "no reason given")
    }
}
