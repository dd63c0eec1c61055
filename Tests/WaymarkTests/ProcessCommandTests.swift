// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@Suite("Every command, as a process", .inTurn)
struct ProcessCommandTests {
    private static let landmarkKeys = [
        "id", "name", "lat", "lng", "kind", "link", "user", "source", "rating", "ratings", "address", "phone",
        "opening_hours", "notes", "version", "rev", "created", "updated",
    ]
    private static let writtenKeys = ["id", "rev", "version", "note", "unchanged"]

    @Test("in text and as JSON, with the keys that programs rely on")
    func commands() async throws {
        try await withProcessPair { pair in
            let added = try await Self.json(
                pair.waymark(
                    "add", "Icebergs", "-33.8951,151.2745", "--kind", "pool", "--link", "https://icebergs.com.au",
                    "--note", "Cold.", "-o", "json"))[0]
            #expect(added.keys == Self.writtenKeys && added.number("rev") == 1)
            let id = try #require(added["id"])
            try await Self.writes(pair, id)
            try await Self.questions(pair, id)
            try await Self.feeds(pair, id)
            try await Self.services(pair)
            try await Self.restores(pair)
            try await Self.fences(pair, id)
            try await Self.hooks(pair)
        }
    }

    private static let filterKeys = ["lat", "lng", "radius", "within", "kinds", "users", "sources"]

    /// A fence is kept, used wherever an area is, replaced and removed.
    private static func fences(_ pair: ProcessPair, _ id: String) async throws {
        let added = try await json(
            pair.waymark("fence", "add", "bondi", "--near", "-33.8951,151.2745", "--radius", "500m", "-o", "json"))[0]
        #expect(added.keys == ["id", "name", "user"] + filterKeys + ["private", "created", "rev"])
        #expect(added["user"] == "ann" && added.number("radius") == 500 && added.isNull("within"))
        #expect(
            try await text(pair.waymark("fence", "list")).last?.contains("within 500 m of -33.8951,151.2745") == true)
        let inside = try await json(pair.waymark("list", "--fence", "bondi", "-o", "json"))
        #expect(inside.map { $0["id"] } == [id])
        let shown = try await json(pair.waymark("fence", "show", "bondi", "-o", "json"))[0]
        #expect(shown.list("inside")?.map(\.["id"]) == [id] && shown.truth("more") == false)
        #expect(try await text(pair.waymark("fence", "show", "bondi")).last?.contains("Bondi Icebergs") == true)
        let all = try await json(pair.waymark("tail", "--no-follow", "-o", "json"))
        let told = try await json(pair.waymark("tail", "--no-follow", "--fence", "bondi", "-o", "json"))
        #expect(!told.isEmpty && told.count < all.count && told.allSatisfy { $0.object("landmark")?["id"] == id })
        let replaced = try await json(
            pair.waymark("fence", "add", "bondi", "--within", "-1,-1,1,1", "--kind", "pool", "-o", "json"))[0]
        #expect(replaced["within"] == "-1.0,-1.0,1.0,1.0" && replaced.number("id") != added.number("id"))
        #expect(try await json(pair.waymark("list", "--fence", "bondi", "-o", "json")).isEmpty)
        #expect(try await text(pair.waymark("fence", "remove", "bondi")) == ["removed bondi"])
        for arguments in [["list", "--fence", "bondi"], ["fence", "show", "bondi"], ["fence", "remove", "bondi"]] {
            let gone = try await pair.bench.finish("waymark", arguments + ["-o", "json"], environment: pair.variables)
            let refusal = try #require(try gone.err.first.map(ProcessJSON.init)?.object("error"))
            #expect(gone.status == 1 && refusal["code"] == "not_found", "\(arguments)")
        }
    }

    /// A hook is added paused as soon as it can be, changed and removed. Deliveries are tested elsewhere.
    private static func hooks(_ pair: ProcessPair) async throws {
        let keys =
            ["id", "name", "user", "url", "fence"] + filterKeys + [
                "ids", "ops", "batch", "state", "reason", "position", "delivered", "failures", "last_success",
                "last_try", "error", "failing_since", "failed", "failed_bytes", "created",
            ]
        let url = "https://waymark.invalid/in"
        let added = try await json(
            pair.waymark("hook", "add", "pools", url, "--kind", "pool", "--op", "entered", "-o", "json"))[0]
        #expect(added.keys == keys + ["secret"] && added["secret"]?.hasPrefix("whsec_") == true)
        #expect(try await text(pair.waymark("hook", "pause", "pools"))[0].hasPrefix("pools is paused"))
        let paused = try await json(pair.waymark("hook", "show", "pools", "-o", "json"))[0]
        #expect(paused.keys == keys + ["behind"] && paused["state"] == "paused" && paused["url"] == url)
        #expect(try await text(pair.waymark("hook", "list")).last?.contains("paused") == true)
        let rotated = try await json(pair.waymark("hook", "rotate", "pools", "-o", "json"))[0]
        #expect(rotated["secret"] != nil && rotated["secret"] != added["secret"])
        let none = try await pair.waymark("hook", "failed", "pools")
        #expect(none.status == 0 && none.out.isEmpty && none.err.contains("No message has failed."))
        #expect(try await text(pair.waymark("hook", "resume", "--all", "--from", "now")) == ["pools is active"])
        let removed = try await json(pair.waymark("hook", "remove", "pools", "--yes", "-o", "json"))[0]
        #expect(removed.keys == ["removed"] && removed["removed"] == "pools")
        let twice = try await pair.waymark("hook", "add", "bad", "ftp://waymark.invalid/", "-o", "json")
        let refusal = try #require(try twice.err.first.map(ProcessJSON.init)?.object("error"))
        #expect(twice.status == 1 && refusal["code"] == "invalid")
    }

    private static func writes(_ pair: ProcessPair, _ id: String) async throws {
        let second = try await Self.text(pair.waymark("add", "Opera House", "-33.8568,151.2153"))
        #expect(second[0].wholeMatch(of: /added [0-9a-f-]{36} at revision 2/) != nil)
        let edited = try await Self.text(pair.waymark("edit", id, "--name", "Bondi Icebergs", "--if-version", "1"))
        #expect(edited == ["changed \(id) at revision 3, now version 2"])
        let same = try await Self.json(pair.waymark("edit", id, "--kind", "pool", "-o", "json"))[0]
        #expect(same.keys == writtenKeys && same.truth("unchanged") == true && same.number("rev") == 3)
        let late = try await pair.waymark("edit", id, "--name", "x", "--if-version", "1", "-o", "json")
        #expect(late.status == 1 && late.out.isEmpty)
        let refusal = try #require(try late.err.first.map(ProcessJSON.init)?.object("error"))
        #expect(refusal["code"] == "version_mismatch" && refusal.number("version") == 2)

        let noted = try await Self.json(pair.waymark("note", id, "Closed", "on", "Thursdays.", "-o", "json"))[0]
        let note = try #require(noted["note"])
        #expect(noted.keys == writtenKeys && noted.number("rev") == 4)
        #expect(try await Self.text(pair.waymark("note", "edit", note, "Open."))[0].hasSuffix("at revision 5"))
        let gone = try await Self.json(pair.waymark("note", "remove", note, "-o", "json"))[0]
        #expect(gone.keys == writtenKeys && gone.number("rev") == 6)
        #expect(try await Self.text(pair.waymark("note", id, "Salt."))[0].hasPrefix("noted "))

        let spare = try await Self.json(pair.waymark("add", "Spare", "0,0", "-o", "json"))[0]
        let removed = try await Self.text(pair.waymark("remove", try #require(spare["id"])))
        #expect(removed == ["removed \(try #require(spare["id"])) at revision 9"])
        #expect(try await Self.text(pair.waymark("user")) == ["ann"])
        #expect(try await Self.json(pair.waymark("user", "-o", "json"))[0].keys == ["user"])
        let set = try await Self.json(pair.waymark("user", "set", "ben", "-o", "json"))[0]
        #expect(set.keys == ["user"] && set["user"] == "ben")
    }

    /// A removal is undone, once.
    private static func restores(_ pair: ProcessPair) async throws {
        let id = try #require(try await json(pair.waymark("add", "Spare", "0,0", "-o", "json"))[0]["id"])
        _ = try await text(pair.waymark("remove", id))
        let restored = try await text(pair.waymark("restore-landmark", id))[0]
        #expect(restored.hasPrefix("restored \(id) at revision "))
        let again = try await json(pair.waymark("restore-landmark", id, "-o", "json"))[0]
        #expect(again.keys == writtenKeys && again.truth("unchanged") == true && again.number("version") == 2)
        let shown = try await json(pair.waymark("show", id, "-o", "json"))[0]
        #expect(shown["name"] == "Spare" && shown.list("history")?.map(\.["op"]) == ["added", "removed", "added"])
        let unknown = try await pair.waymark("restore-landmark", "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5", "-o", "json")
        let refusal = try #require(try unknown.err.first.map(ProcessJSON.init)?.object("error"))
        #expect(unknown.status == 1 && refusal["code"] == "not_found")
    }

    private static func questions(_ pair: ProcessPair, _ id: String) async throws {
        let near = try await Self.json(
            pair.waymark("near", "-33.8568,151.2153", "--radius", "10km", "-o", "json", "--at-least", "9"))
        #expect(near.map { $0["name"] } == ["Opera House", "Bondi Icebergs"])
        #expect(near[1].keys == landmarkKeys + ["distance_m", "bearing_deg"])
        #expect(near[1].list("notes")?.map(\.["text"]) == ["Cold.", "Salt."] && near[1]["user"] == "ann")
        #expect(near[1].isNull("source") && near[1].isNull("rating") && near[1]["kind"] == "pool")
        let far = try await Self.text(
            pair.waymark("near", "-33.8568,151.2153", "--min-distance", "1km", "--limit", "1"))
        #expect(far.count == 2 && far[0].contains("DISTANCE") && far[1].contains("Bondi Icebergs"))

        let list = try await Self.json(pair.waymark("list", "--by", "name", "-o", "json"))
        #expect(list.map { $0["name"] } == ["Bondi Icebergs", "Opera House"] && list[0].keys == landmarkKeys)
        let byDistance = try await Self.json(pair.waymark("list", "--near", "-33.8568,151.2153", "-o", "json"))
        #expect(byDistance[0].keys == landmarkKeys + ["distance_m", "bearing_deg"])
        let page = try await Self.json(pair.waymark("list", "--limit", "1", "--show-cursor", "-o", "json"))
        let cursor = try #require(page.last?["cursor"])
        let rest = try await Self.json(pair.waymark("list", "--after", cursor, "--show-cursor", "-o", "json"))
        #expect(page.count == 2 && rest.count == 2 && rest[1].isNull("cursor") && page[0]["id"] != rest[0]["id"])
        #expect(try await Self.text(pair.waymark("list", "--recent", "1"))[1].hasPrefix("Bondi Icebergs"))

        let found = try await Self.json(pair.waymark("search", "iceb", "SALT", "-o", "json"))
        #expect(found.map { $0["id"] } == [id] && found[0].keys == landmarkKeys)
        #expect(try await Self.text(pair.waymark("search", "opera"))[1].hasPrefix("Opera House"))
        let shown = try await Self.json(pair.waymark("show", id, "-o", "json"))[0]
        #expect(shown.keys == landmarkKeys + ["history", "history_cut"])
        #expect(shown.list("history")?.map(\.["op"]) == ["noted", "noted", "noted", "noted", "changed", "added"])
        let block = try await Self.text(pair.waymark("show", id))
        #expect(block[0] == "Bondi Icebergs" && block.contains("    Salt.") && block.contains("History"))
        let distance = try await Self.json(pair.waymark("distance", "-33.8568,151.2153", id, "-o", "json"))[0]
        #expect(distance.keys == ["distance_m", "bearing_deg", "from", "to"])
        let (measured, told) = (distance.number("distance_m"), near[1].number("distance_m"))
        // Distances from near are within a micrometre.
        #expect(abs((measured ?? .nan) - (told ?? .nan)) <= 1e-6)
        let line = try await Self.text(pair.waymark("distance", "-33.8568,151.2153", "-33.860178,151.212706"))
        #expect(line[0].hasPrefix("444.984 m  "))
    }

    private static func feeds(_ pair: ProcessPair, _ id: String) async throws {
        let changes = try await Self.json(pair.waymark("tail", "--no-follow", "-o", "json"))
        #expect(changes.map { $0.number("rev") } == (1...9).map(Double.init))
        #expect(
            changes.allSatisfy { $0.keys.starts(with: ["type", "epoch", "rev", "at", "op", "landmark", "before"]) })
        #expect(changes[0].isNull("before") && changes[8]["op"] == "removed")
        #expect(changes[2].object("landmark")?["name"] == "Bondi Icebergs")
        #expect(changes[2].object("before")?["name"] == "Icebergs")
        let limited = try await Self.text(pair.waymark("tail", "--since", "2", "--limit", "2"))
        #expect(limited.count == 2 && limited[0].contains("name: \"Icebergs\" → \"Bondi Icebergs\""))
    }

    private static func services(_ pair: ProcessPair) async throws {
        let status = try await Self.json(pair.status("-o", "json"))[0]
        #expect(status.keys == ["query", "storage"])
        #expect(status.object("storage")?.number("head") == 9 && status.object("query")?.number("lag") == 0)
        #expect(try await Self.text(pair.status()).contains { $0.contains("revision") && $0.contains("9") })

        try pair.bench.write(#"{"locations":[{"name":"A","lat":1,"lng":2}],"updated":""}"#, to: "few.json")
        let report = try await Self.json(pair.waymark("ingest", "few.json", "-o", "json"))[0]
        #expect(
            report.keys == [
                "source", "format", "dry_run", "added", "changed", "unchanged", "removed", "kept", "rejected", "rev",
                "rejections", "notices", "examples",
            ])
        #expect(try await Self.text(pair.waymark("ingest", "few.json"))[0].contains("1 unchanged"))
        let sources = try await pair.waymark("sources")
        #expect(sources.status == 0)
    }

    static func text(_ result: ProcessResult) throws -> [String] {
        #expect(result.status == 0, "\(result.err)")
        return result.out
    }

    static func json(_ result: ProcessResult) throws -> [ProcessJSON] {
        #expect(result.status == 0, "\(result.err)")
        return try result.out.map(ProcessJSON.init)
    }
}
