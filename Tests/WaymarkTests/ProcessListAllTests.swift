// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

@Suite("A list of everything", .inTurn)
struct ProcessListAllTests {
    private static let count = 2_500

    private static func fill(_ pair: ProcessPair) async throws {
        let rows = (0..<count).map { number in
            ProcessRow(name: "place \(number)", lat: Double(number % 80), lng: Double(number % 170), kind: nil)
        }
        try pair.bench.write(ProcessRow.file(rows), to: "places.json")
        let report = try await ProcessCommandTests.json(
            pair.waymark("ingest", "places.json", "--source", "places", "-o", "json"))
        #expect(report.first?.number("added") == Double(count))
        let rev = try #require(
            try await ProcessCommandTests.json(pair.status("-o", "json"))[0].object("storage")?
                .number("head"))
        _ = try await ProcessCommandTests.text(pair.waymark("near", "0,0", "--at-least", "\(Int(rev))"))
    }

    @Test("--all prints every landmark in each form; without it a list that is cut off says how to get the rest")
    func everything() async throws {
        try await withProcessPair { pair in
            try await Self.fill(pair)
            let json = try await ProcessCommandTests.json(pair.waymark("list", "--all", "-o", "json"))
            #expect(Set(json.compactMap { $0["name"] }).count == Self.count && json.count == Self.count)
            let geojson = try await pair.waymark("list", "--all", "-o", "geojson")
            let whole = try JSONSerialization.jsonObject(with: Data(geojson.out.joined().utf8)) as? [String: Any]
            #expect((whole?["features"] as? [Any])?.count == Self.count && geojson.err.isEmpty)
            let text = try await ProcessCommandTests.text(pair.waymark("list", "--all"))
            #expect(text.count { $0.contains("place ") } == Self.count)
            let near = try await ProcessCommandTests.json(
                pair.waymark("near", "0,0", "--all", "-o", "json"))
            #expect(near.count == Self.count)

            let some = try await pair.waymark("list", "-o", "json")
            #expect(some.status == 0 && some.out.count == 100)
            #expect(some.err.count == 1 && some.err[0].contains("--all"), "\(some.err)")
            for arguments in [["list", "--all", "--limit", "3"], ["list", "--all", "--recent", "3"]] {
                let wrong = try await pair.bench.finish("waymark", arguments, environment: pair.variables)
                #expect(wrong.status == 2 && wrong.err[0].contains("--all"), "\(wrong.err)")
            }
        }
    }

    @Test("one that is interrupted ends with an error, says how far it came, and goes on from there")
    func interrupted() async throws {
        try await withProcessPair { pair in
            try await Self.fill(pair)
            let page = try await ProcessCommandTests.json(
                pair.waymark("list", "--by", "name", "--limit", "1000", "--show-cursor", "-o", "json"))
            let cursor = try #require(page.last?["cursor"])
            // --all also goes on from a cursor.
            let rest = try await ProcessCommandTests.json(
                pair.waymark("list", "--all", "--after", cursor, "-o", "json"))
            #expect(rest.count == Self.count - 1_000)

            // Nobody reads, so that the list waits in its pipe while the service ends.
            let shell = try pair.bench.start(
                "/bin/sh",
                [
                    "-c",
                    "{ \(Products.folder)/waymark list --all -o json --timeout 10s; echo $? > status; } | "
                        + "{ head -n 1; read go < go; wc -l; }",
                ],
                environment: try Self.withFIFO(pair))
            _ = try await shell.out.next { $0.contains("place ") }
            try await pair.query.slain()
            let go = try #require(FileHandle(forWritingAtPath: pair.bench.path + "/go"))
            try go.write(contentsOf: Data("go\n".utf8))
            try go.close()
            _ = try await shell.ended()
            let status = try String(contentsOfFile: pair.bench.path + "/status", encoding: .utf8)
            #expect(Int(status.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 != 0)
            let told = try await shell.err.complete().joined()
            #expect(told.contains("not complete") && told.contains("--after"), "\(told)")
        }
    }

    /// The variables of the pair, once there is a pipe with a name to wait at.
    private static func withFIFO(_ pair: ProcessPair) throws -> [String: String] {
        guard mkfifo(pair.bench.path + "/go", 0o600) == 0 else { throw Overdue(description: "No pipe can be made.") }
        return pair.variables
    }
}
