// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@Suite("Attributes of a landmark, as a process", .inTurn)
struct ProcessAttributeTests {
    @Test("a rating is set, shown and cleared again; opening hours are shown with the state that they mean now")
    func attributes() async throws {
        try await withProcessPair { pair in
            let added = try await ProcessCommandTests.json(
                pair.waymark("add", "Icebergs", "-33.8951,151.2745", "--kind", "pool", "-o", "json"))[0]
            let id = try #require(added["id"])
            _ = try await ProcessCommandTests.text(pair.waymark("edit", id, "--rating", "4.5"))
            let rated = try #require(try await ProcessCommandTests.json(pair.waymark("show", id, "-o", "json")).first)
            #expect(rated.line.contains(#""rating":4.5"#))
            #expect(
                try await ProcessCommandTests.text(pair.waymark("show", id)).contains { $0.hasSuffix("rating    4.5") })
            #expect(
                try await ProcessCommandTests.text(pair.waymark("show", id)).contains {
                    $0.hasSuffix("rating: none → 4.5")
                })
            let cleared = try await ProcessCommandTests.text(pair.waymark("edit", id, "--rating", "", "--kind", ""))
            #expect(cleared[0].hasPrefix("changed "))
            let tail = try await ProcessCommandTests.text(pair.waymark("tail", "--since", "0", "--no-follow"))
            #expect(tail.last?.contains(#"kind: "pool" → "", rating: 4.5 → none"#) == true, "\(tail)")
            let refused = try await pair.waymark("edit", id, "--rating", "6")
            #expect(
                refused.status == 2 && refused.err.contains { $0.contains("The rating is not a number from 0 to 5.") })
            let hours = "Mo-Su 09:00-17:00"
            let set = try await ProcessCommandTests.json(
                pair.waymark(
                    "edit", id, "--opening-hours", hours, "--ratings", "12", "--phone", "+61 2 9", "-o", "json"))
            // Until the query service has it. It is the first question about hours, so the service loads the towns of
            // the world for it: some tenths of a second, and on a busy machine more than the usual time for an answer.
            let here = "-33.8951,151.2745"
            let near = try await pair.waymark(
                "near", here, "--at-least", "\(Int(set.first?.number("rev") ?? 0))", "--timeout", "60s")
            #expect(near.status == 0, "\(near.err)")
            // No time zone is configured: the nearest town's is assumed.
            #expect(near.out.contains { $0.contains(" until ") })
            #expect(near.err.contains { $0.contains("an assumed time zone: Australia/Sydney") }, "\(near.err)")
            let open = try #require(try await ProcessCommandTests.json(pair.waymark("show", id, "-o", "json")).first)
            #expect(open.line.contains(#""ratings":12,"address":null,"phone":"+61 2 9","opening_hours":"\#(hours)""#))
            let block = try await ProcessCommandTests.text(pair.waymark("show", id))
            #expect(block.contains { $0.hasSuffix("  opening hours     \(hours)") })
            #expect(block.contains { $0.contains("  now  ") && $0.hasSuffix("assumed time zone Australia/Sydney") })
            let always = try await ProcessCommandTests.json(
                pair.waymark("edit", id, "--opening-hours", "24/7", "-o", "json"))
            let rev = "\(Int(always.first?.number("rev") ?? 0))"
            #expect(
                try await ProcessCommandTests.json(
                    pair.waymark("near", here, "--open", "-o", "json", "--at-least", rev)
                ).count == 1)
            #expect(
                try await ProcessCommandTests.text(pair.waymark("show", id)).contains {
                    $0.hasSuffix("  now               open")
                })
            let half = try await pair.waymark("edit", id, "--ratings", "1.5")
            #expect(half.err.contains { $0.contains("The number of ratings is not a whole number.") })
        }
    }
}
