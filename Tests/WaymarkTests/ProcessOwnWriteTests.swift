// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@Suite("What was just written is found", .inTurn)
struct ProcessOwnWriteTests {
    @Test("search and geocode find what the command before them has added, every time")
    func atOnce() async throws {
        try await withProcessPair { pair in
            // The text search gathers changes for a moment, so that only some of the attempts come too early.
            for word in ["zzqa", "zzqb", "zzqc", "zzqd", "zzqe", "zzqf"] {
                _ = try await ProcessCommandTests.text(pair.waymark("add", "\(word) one", "11,11"))
                let found = try await ProcessCommandTests.json(pair.waymark("search", word, "-o", "json"))
                #expect(found.map { $0["name"] } == ["\(word) one"], "search \(word)")
                _ = try await ProcessCommandTests.text(pair.waymark("add", "\(word)x two", "12,12"))
                let named = try await pair.waymark("geocode", "\(word)x", "-o", "json")
                #expect(named.status == 0 && named.out.first?.contains("\(word)x two") == true, "\(named)")
            }
        }
    }

    @Test("a search that leaves matches out says so, and how to get them")
    func cutOff() async throws {
        try await withProcessPair { pair in
            for number in 1...3 {
                _ = try await ProcessCommandTests.text(pair.waymark("add", "pier \(number)", "1,\(number)"))
            }
            let some = try await pair.waymark("search", "pier", "--limit", "2")
            #expect(some.status == 0 && some.out.count == 3)
            #expect(some.err.joined().contains("--limit"), "\(some)")
            let all = try await pair.waymark("search", "pier", "--limit", "3")
            #expect(all.out.count == 4 && all.err.isEmpty, "\(all)")
        }
    }
}
