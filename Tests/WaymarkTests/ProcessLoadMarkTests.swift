// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@Suite("What load tests leave behind, as a process", .serialized, .inTurn)
struct ProcessLoadMarkTests {
    private func landmarks(_ pair: ProcessPair) async throws -> Double? {
        let status = try await ProcessCommandTests.json(pair.status("-o", "json"))[0]
        return status.object("storage")?.number("landmarks")
    }

    private func bench(_ pair: ProcessPair, _ words: [String], _ more: String...) async throws -> ProcessResult {
        try await pair.bench.finish(
            "waymark", ["bench"] + words + ["--warmup", "0s"] + more, environment: pair.variables)
    }

    @Test("without a terminal nothing is written unless --yes is given")
    func consent() async throws {
        try await withProcessPair { pair in
            try pair.bench.write("- operation: near\n- operation: write\n", to: "mix.yaml")
            for words in [["write"], ["ingest", "--rows", "10"], ["tail"], ["mix", "mix.yaml"]] {
                let refused = try await bench(pair, words, "--count", "5")
                #expect(refused.status == 2 && refused.out.isEmpty, "\(words): \(refused)")
                #expect(refused.err.contains { $0.contains("add --yes to confirm") }, "\(words): \(refused)")
            }
            #expect(try await landmarks(pair) == 0)
            // A mix that only asks needs no consent.
            try pair.bench.write("- operation: near\n", to: "mix.yaml")
            #expect(try await bench(pair, ["mix", "mix.yaml"], "--count", "5").status == 0)
        }
    }

    @Test("the command that the report names removes all that the run has written, and nothing else")
    func clean() async throws {
        try await withProcessPair { pair in
            #expect(try await pair.waymark("add", "Keep", "1,1").status == 0)
            #expect(try await bench(pair, ["write"], "--count", "20", "--yes").status == 0)
            #expect(try await landmarks(pair) == 21)
            try pair.bench.write("- operation: write\n- operation: ingest\n  rows: 40\n", to: "mix.yaml")
            // More than one page of each.
            for (words, count) in [
                (["write"], "1500"), (["ingest", "--rows", "500"], "3"), (["tail"], "30"), (["mix", "mix.yaml"], "90"),
            ] {
                let result = try await bench(pair, words, "--count", count, "--window", "16", "--yes", "-o", "json")
                #expect(result.status == 0, "\(words): \(result)")
                let report = try ProcessJSON(try #require(result.out.first))
                let removal = try #require(report["removal"])
                #expect(removal.hasPrefix("waymark bench clean "))
                #expect(result.err.contains { $0.contains(removal) }, "\(words): \(result)")
                let command = removal.split(separator: " ").dropFirst().map(String.init)
                #expect(try await landmarks(pair) ?? 0 > 21)
                let cleaned = try await pair.bench.finish(
                    "waymark", command + ["-o", "json"], environment: pair.variables)
                #expect(cleaned.status == 0, "\(cleaned)")
                #expect(try await landmarks(pair) == 21, "\(words)")
                let again = try await pair.bench.finish("waymark", command, environment: pair.variables)
                #expect(again.status == 1 && again.err.contains { $0.contains("Nothing is left of the run") })
            }
            #expect(try await pair.waymark("sources", "-o", "json").out.isEmpty)
            let wrong = try await pair.waymark("bench", "clean", "Keep")
            #expect(wrong.status == 2 && !wrong.err.isEmpty)
        }
    }
}
