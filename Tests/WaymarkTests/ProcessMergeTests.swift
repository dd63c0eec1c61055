// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

/// An edit that names the version it was begun at goes together with what others have changed beside it.
@Suite("Edits of one landmark by two people", .inTurn)
struct ProcessMergeTests {
    @Test("are both kept where they are disjoint, and told where they are not")
    func merging() async throws {
        try await withProcessPair { pair in
            let added = try await pair.waymark("add", "Icebergs", "-33.8951,151.2745", "--kind", "pool", "-o", "json")
            let id = try #require(try added.out.first.map(ProcessJSON.init)?["id"])
            func edit(_ words: String...) async throws -> ProcessResult {
                try await pair.bench.finish("waymark", ["edit", id] + words, environment: pair.variables)
            }
            func shown() async throws -> String {
                try #require(try await pair.waymark("show", id, "-o", "json").out.first)
            }
            #expect(try await edit("--phone", "1", "--link", "https://a.example").status == 0)
            #expect(try await pair.waymark("note", id, "Cold.").status == 0)
            // Version 3 by now; the phone, the link and the note stay.
            let beside = try await edit("--kind", "", "--opening-hours", "24/7", "--if-version", "1", "--as", "bob")
            #expect(beside.status == 0 && beside.out.first?.hasSuffix("now version 4") == true, "\(beside.err)")
            let both = try await shown()
            #expect(
                both.contains(#""kind":null,"link":"https://a.example""#) && both.contains(#""opening_hours":"24/7""#))
            #expect(both.contains(#""phone":"1""#) && both.contains(#""text":"Cold.""#))
            #expect(both.contains(#""user":"bob","version":4,"changed":["kind","opening_hours"]"#))

            #expect(try await edit("--name", "Pool", "--at", "-33.9,151.3").status == 0)
            let refused = try await edit(
                "--name", "Bath", "--at", "-34,152", "--phone", "", "--rating", "4", "--if-version", "1")
            #expect(refused.status == 1 && refused.out.isEmpty)
            let sentence = refused.err.joined(separator: "\n")
            #expect(sentence.contains(#"name (theirs "Pool", yours "Bath")"#))
            #expect(sentence.contains(#"position (theirs "-33.9,151.3", yours "-34,152")"#))
            #expect(sentence.contains(#"phone (theirs "1", yours "")"#) && !sentence.contains("rating"))
            #expect(sentence.contains("--if-version 5"))
            let json = try await edit("--name", "Bath", "--if-version", "1", "-o", "json")
            let error = try #require(try json.err.first.map(ProcessJSON.init)?.object("error"))
            #expect(json.status == 1 && error["code"] == "version_mismatch" && error.number("version") == 5)
            #expect(json.err.first?.contains(#""conflicts":[{"field":"name","theirs":"Pool","mine":"Bath"}]"#) == true)
            #expect(try await shown().contains(#""name":"Pool""#))

            // Who wants the same as they is not asked.
            let same = try await edit("--name", "Pool", "--rating", "3", "--if-version", "1")
            #expect(same.status == 0 && same.out.first?.hasSuffix("now version 6") == true, "\(same.err)")
            // Once the log no longer tells what was changed, each field may have been.
            #expect(try await pair.waymark("compact", "--below", "6", "--yes").status == 0)
            let unknown = try await edit("--phone", "2", "--if-version", "1")
            #expect(unknown.status == 1 && unknown.err.joined().contains(#"phone (theirs "1", yours "2")"#))
        }
    }
}
