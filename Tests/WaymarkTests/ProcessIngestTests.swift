// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Ingest, as processes", .inTurn)
struct ProcessIngestTests {
    @Test("thousands of rows once, then no change; a dry run changes nothing; rejected rows have a reason")
    func file() async throws {
        try await withProcessPair { pair in
            let rows = (0..<4_000).map {
                ProcessRow(name: "place \($0)", lat: Double($0 % 90), lng: Double($0 % 360) - 180)
            }
            try pair.bench.write(ProcessRow.file(rows), to: "places.json")
            let first = try await Self.ingest(pair, "places.json", "--source", "places")
            #expect(Self.counts(first) == [4_000, 0, 0, 0, 0, 0] && first.number("rev") == 4_000)
            let again = try await Self.ingest(pair, "places.json", "--source", "places")
            #expect(Self.counts(again) == [0, 0, 4_000, 0, 0, 0] && again.isNull("rev"))
            #expect(try await Self.head(pair) == 4_000)

            var other = rows
            other[7].lat = 1.5
            other.removeLast(2)
            other += [
                ProcessRow(name: "new", lat: 1, lng: 181), ProcessRow(name: "beyond", lat: 91, lng: 0),
                ProcessRow(name: "", lat: 1, lng: 1), ProcessRow(name: "nowhere", lat: nil, lng: nil),
                ProcessRow(name: "new", lat: 1, lng: 181),
            ]
            try pair.bench.write(ProcessRow.file(other), to: "places.json")
            let dry = try await Self.ingest(pair, "places.json", "--source", "places", "--dry-run")
            #expect(dry.truth("dry_run") == true && Self.counts(dry) == [2, 1, 3_997, 0, 2, 3])
            #expect(try await Self.head(pair) == 4_000)

            let arguments = ["ingest", "places.json", "--source", "places", "--vanished", "remove"]
            let text = try await ProcessCommandTests.text(
                pair.bench.finish("waymark", arguments, environment: pair.variables))
            // The missing landmark may be the row without a name.
            #expect(
                text.last
                    == "source places (seed): 2 added, 1 changed, 3,997 unchanged, 0 removed, 2 kept, 3 rejected; "
                    + "through revision 4003")
            #expect(text.contains { $0.contains("2 landmarks are no longer in the source but were kept") })
            #expect(text.contains { $0.contains("locations[3999] (beyond)") && $0.contains("latitude 91") })
            #expect(text.contains { $0.contains("The row has no name.") })
            #expect(text.contains { $0.contains("(nowhere)") && $0.contains("The row has no latitude.") })
            other.removeAll { $0.name.isEmpty }
            try pair.bench.write(ProcessRow.file(other), to: "places.json")
            let named = try await ProcessCommandTests.text(
                pair.bench.finish("waymark", arguments, environment: pair.variables))
            #expect(
                named.last
                    == "source places (seed): 0 added, 0 changed, 4,000 unchanged, 2 removed, 0 kept, 2 rejected; "
                    + "through revision 4005")
            #expect(try await Self.head(pair) == 4_005)
        }
    }

    @Test("rows that are all rejected are a failure that changes nothing; a dry run shows rows")
    func rejected() async throws {
        try await withProcessPair { pair in
            try pair.bench.write("title,lat,lng\nA,1,2\nB,3,4\n", to: "places.csv")
            let fields = ["--name-field", "tilte", "--lat-field", "lat", "--lng-field", "lng"]
            let mistyped = try await pair.bench.finish(
                "waymark", ["ingest", "places.csv", "--source", "places"] + fields, environment: pair.variables)
            #expect(mistyped.status == 1 && mistyped.err == ["error: All 2 rows were rejected: nothing was ingested."])
            #expect(mistyped.out.first == "noticed: No row has the field tilte: the first one has title, lat, lng.")
            #expect(try await Self.head(pair) == 0)

            let dry = try await Self.ingest(pair, "places.csv", "--dry-run")
            #expect(dry["format"] == "csv (name title, lat lat, lng lng)" && Self.counts(dry) == [2, 0, 0, 0, 0, 0])
            let examples = try #require(dry.list("examples"))
            #expect(examples.map { $0["op"] } == ["added", "added"] && examples.map { $0["name"] } == ["A", "B"])
            #expect(try await Self.head(pair) == 0)
        }
    }

    @Test("a source is removed with its landmarks after a confirmation; landmarks with people's notes stay")
    func removed() async throws {
        try await withProcessPair { pair in
            try pair.bench.write("id,name,lat,lng\n1,A,1,2\n2,B,3,4\n", to: "places.csv")
            _ = try await Self.ingest(pair, "places.csv", "--source", "places")
            let failed = try await pair.waymark("ingest", "missing.json", "--source", "slip")
            #expect(failed.status == 1)
            #expect(try await pair.waymark("source", "remove", "slip", "--yes").status == 0)

            let unknown = try await pair.waymark("source", "remove", "slip", "--yes")
            #expect(unknown.status == 1 && unknown.err == ["error: There is no source slip: the sources are places."])
            let unasked = try await pair.waymark("source", "remove", "places")
            #expect(unasked.status == 2 && unasked.err.first?.contains("--yes") == true)
            let list = try await ProcessCommandTests.json(pair.waymark("list", "--by", "name", "-o", "json"))
            let note = try await pair.waymark("note", try #require(list.first?["id"]), "Mine.")
            #expect(list.count == 2 && note.status == 0)

            let kept = try await ProcessCommandTests.json(
                pair.waymark("source", "remove", "places", "--yes", "-o", "json"))
            #expect(kept.first?.number("removed") == 1 && kept.first?.number("kept") == 1)
            #expect(try await pair.waymark("remove", try #require(list.first?["id"])).status == 0)
            let text = try await ProcessCommandTests.text(pair.waymark("source", "remove", "places", "--yes"))
            #expect(text == ["source places: 0 removed, 0 kept"])
            #expect(try await pair.waymark("sources").err == ["No source has been fetched yet."])
            #expect(try await ProcessCommandTests.json(pair.waymark("list", "-o", "json")).isEmpty)
        }
    }

    @Test("stdin accepts the output of list, also packed by gzip; the same rows change nothing")
    func stdin() async throws {
        try await withProcessPair { pair in
            let waymark = "\(Products.folder)/waymark"
            func shell(_ line: String) async throws -> ProcessResult {
                try await pair.bench.finish("/bin/sh", ["-c", line], environment: pair.variables)
            }
            _ = try await ProcessCommandTests.text(
                pair.waymark("add", "Bondi Icebergs", "-33.8,151.2", "--kind", "pool"))
            let copy = "\(waymark) list -o json | gzip -c | \(waymark) ingest - --source copy -o json"
            let first = try #require(try await ProcessCommandTests.json(shell(copy)).first)
            #expect(Self.counts(first) == [1, 0, 0, 0, 0, 0])
            #expect(first["format"] == "ndjson (name name, lat lat, lng lng, key id, kind kind)")
            let again = "\(waymark) list --user ann -o json | \(waymark) ingest - --source copy -o json"
            let second = try #require(try await ProcessCommandTests.json(shell(again)).first)
            #expect(Self.counts(second) == [0, 0, 1, 0, 0, 0])
            let nameless = try await pair.waymark("ingest", "-")
            #expect(nameless.status == 2 && nameless.err.contains { $0.contains("--source NAME") })
            let empty = try await pair.waymark("ingest", "-", "--source", "x")
            #expect(empty.status == 1 && empty.err == ["error: The body is empty: check the address."])
        }
    }

    @Test("an unreadable body changes nothing, and the error says why")
    func unreadable() async throws {
        try await withProcessPair { pair in
            try pair.bench.write("<!DOCTYPE html><html><body>Please log in</body></html>", to: "page.json")
            let whole = ProcessRow.file((0..<100).map { ProcessRow(name: "\($0)", lat: 1, lng: 2) })
            try pair.bench.write(String(whole.dropLast(40)), to: "cut.json")
            for (file, reason) in [
                ("page.json", "HTML page"), ("cut.json", "cut off"), ("missing.json", "There is no such file"),
            ] {
                let result = try await pair.waymark("ingest", file)
                #expect(result.status == 1 && result.out.isEmpty)
                #expect(result.err.count == 1 && result.err[0].contains(reason), "\(result.err)")
            }
            #expect(try await Self.head(pair) == 0)
        }
    }

    @Test("a configured source is followed; people's landmarks and notes stay, and a failed fetch changes nothing")
    func configured() async throws {
        try await withBench { bench in
            let rows = ["A", "B", "C"].map { ProcessRow(name: $0, lat: -33.8, lng: 151.2) }
            try bench.write(ProcessRow.file(rows), to: "places.json")
            let pair = try await ProcessPair(
                bench, sources: "  places:\n    url: file:places.json\n    every: 200ms\n    vanished: remove\n")
            let tail = try pair.start("tail", "-o", "json", "--since", "0")
            let first = try await Self.changes(3, tail)
            #expect(first == ["added A", "added B", "added C"])
            let ids = try Dictionary(
                uniqueKeysWithValues: tail.out.all.map(ProcessJSON.init).compactMap { $0.object("landmark") }
                    .compactMap { landmark in landmark["name"].flatMap { name in landmark["id"].map { (name, $0) } } })
            _ = try await ProcessCommandTests.text(pair.waymark("add", "Mine", "-33.8,151.2"))
            _ = try await ProcessCommandTests.text(pair.waymark("note", try #require(ids["B"]), "People write here."))
            #expect(try await Self.changes(2, tail) == ["added Mine", "noted B"])

            try bench.write(
                ProcessRow.file([
                    ProcessRow(name: "A", lat: -33.9, lng: 151.2), ProcessRow(name: "D", lat: 1, lng: 2),
                ]), to: "places.json")
            #expect(try await Self.changes(3, tail) == ["changed A", "added D", "removed C"])
            try bench.write("{\"locations\": [", to: "places.json")
            try await withClient(try await pair.client()) { client in
                let failed = try await Self.source(client) { $0.result == .failed }
                #expect(failed.error.contains("cut off") && failed.landmarks == 3)
                #expect(try await Self.head(pair) == 8)
                try bench.write(ProcessRow.file(rows), to: "places.json")
                #expect(try await Self.changes(2, tail) == ["changed A", "added C"])
                let healed = try await Self.source(client) { $0.result != .failed }
                #expect(healed.error.isEmpty && healed.landmarks == 3)
            }
            #expect(try await Self.changes(1, tail) == ["removed D"])
            let left = try await ProcessCommandTests.json(pair.waymark("list", "--by", "name", "-o", "json"))
            #expect(left.map { $0["name"] } == ["A", "B", "C", "Mine"])
            #expect(left[1].list("notes")?.map(\.["text"]) == ["People write here."])
            #expect(left[0].object("source")?["name"] == "places" && left[3].isNull("source"))
            let listed = try await ProcessCommandTests.json(pair.waymark("sources", "-o", "json"))
            #expect(
                listed[0].keys == [
                    "source", "url", "format", "landmarks", "attempted", "succeeded", "attempts", "failures", "result",
                    "error", "counts", "read_as",
                ])
            #expect(listed[0]["format"] == "auto" && listed[0]["read_as"] == "seed")
            let table = try await ProcessCommandTests.text(pair.waymark("sources"))
            #expect(table.count == 2 && table[1].hasPrefix("places  seed "))
        }
    }

    private static func ingest(_ pair: ProcessPair, _ arguments: String...) async throws -> ProcessJSON {
        let result = try await pair.bench.finish(
            "waymark", ["ingest"] + arguments + ["-o", "json"], environment: pair.variables)
        return try #require(try ProcessCommandTests.json(result).first)
    }

    private static func counts(_ report: ProcessJSON) -> [Double?] {
        ["added", "changed", "unchanged", "removed", "kept", "rejected"].map(report.number)
    }

    private static func head(_ pair: ProcessPair) async throws -> Double? {
        let status = try await ProcessCommandTests.json(pair.status("-o", "json"))
        return status.first?.object("storage")?.number("head")
    }

    /// The next changes, each as its operation and its landmark's name.
    private static func changes(_ count: Int, _ tail: Child) async throws -> [String] {
        var changes: [String] = []
        for _ in 0..<count {
            let change = try ProcessJSON(try await tail.out.next())
            changes.append("\(change["op"] ?? "?") \(change.object("landmark")?["name"] ?? "?")")
        }
        return changes
    }

    /// Polls until the source's state fits.
    private static func source(
        _ client: WaymarkClient, _ fits: (SourceState) -> Bool
    ) async throws -> SourceState {
        var last: SourceState?
        try await until("the source is so, after \(String(describing: last))", within: .seconds(120)) {
            last = try await client.sources().first
            return last.map(fits) == true
        }
        return try #require(last)
    }
}
