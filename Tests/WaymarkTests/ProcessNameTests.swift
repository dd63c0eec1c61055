// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@Suite("Landmarks by name", .inTurn)
struct ProcessNameTests {
    @Test("every command that takes an id takes a name")
    func everywhere() async throws {
        try await withProcessPair { pair in
            let added = try await ProcessCommandTests.json(
                pair.waymark("add", "Bondi Beach", "-33.8915,151.2767", "-o", "json"))
            let id = try #require(added.first?["id"])
            #expect(try await ProcessCommandTests.text(pair.waymark("show", "Bondi Beach"))[0] == "Bondi Beach")
            let edited = try await ProcessCommandTests.text(pair.waymark("edit", "Bondi Beach", "--kind", "beach"))
            #expect(edited[0].contains(id))
            let noted = try await ProcessCommandTests.text(pair.waymark("note", "Bondi Beach", "Sand."))
            #expect(noted[0].contains(id))
            let told = try await ProcessCommandTests.json(
                pair.waymark("tail", "--no-follow", "--id", "Bondi Beach", "-o", "json"))
            #expect(told.count == 3)
            #expect(try await pair.waymark("track", "show", "Bondi Beach").status == 0)
            _ = try await ProcessCommandTests.text(pair.waymark("add", "zzqq rock", "-33.8915,151.2767"))
            let apart = try await ProcessCommandTests.json(
                pair.waymark("distance", "zzqq rock", "-33.8915,151.2767", "-o", "json"))
            #expect(apart.first?.number("distance_m") == 0)
            let removed = try await ProcessCommandTests.text(pair.waymark("remove", "Bondi Beach"))
            #expect(removed[0].hasPrefix("removed \(id) "))
        }
    }

    @Test("a name of several is refused with their ids, one of nobody with those that are like it")
    func unclear() async throws {
        try await withProcessPair { pair in
            func add(_ name: String, _ user: String) async throws -> String {
                let added = try await ProcessCommandTests.json(
                    pair.waymark("add", name, "1,2", "-o", "json", environment: ["WAYMARK_USER": user]))
                return try #require(added.first?["id"])
            }
            let (one, two) = (try await add("Town Hall", "ben"), try await add("Town Hall", "cem"))
            let several = try await pair.waymark("remove", "Town Hall")
            #expect(several.status == 1 && several.err.joined().contains("Several landmarks are called"), "\(several)")
            for id in [one, two] { #expect(several.err.joined().contains(id)) }
            // As with track, one's own is meant before those of others.
            let own = try await add("Town Hall", "ann")
            #expect(try await ProcessCommandTests.json(pair.waymark("show", "Town Hall", "-o", "json"))[0]["id"] == own)

            let near = try await pair.waymark("show", "town", "-o", "json")
            #expect(near.status == 1 && near.err[0].contains("\"not_found\"") && near.err[0].contains(one), "\(near)")
            let none = try await pair.waymark("show", "zzqq")
            #expect(none.status == 1 && none.err[0].contains("No landmark is called \"zzqq\""), "\(none)")
            // A name that looks like the beginning of an id.
            let number = try await add("20260301", "ann")
            let found = try await ProcessCommandTests.json(pair.waymark("show", "20260301", "-o", "json"))
            #expect(found[0]["id"] == number)
            #expect(try await pair.waymark("show", " ").status == 2)
        }
    }
}
