// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestTurns
import Testing

@Suite("Reports compared, as a process", .serialized, .inTurn)
struct ProcessLoadCompareTests {
    /// Writes a report of six runs, derived from one measured run, because the machine is too busy for six similar
    /// real runs. They differ by up to 5 % in each direction.
    private func write(_ run: LoadReport, slowed factor: Double, seed: UInt64, _ bench: ProcessBench, _ name: String)
        throws
    {
        var (report, random) = (run, SeededGenerator(seed: seed))
        report.runs = (0..<6).map { _ in
            var run = report.runs[0]
            run.figures.latency.p50 *= factor * (0.95 + 0.1 * random.unit())
            return run
        }
        try bench.write(String(decoding: try report.encoded(), as: UTF8.self), to: name)
    }

    @Test("a slowdown by a fifth is detected, and the spread of runs is not mistaken for one")
    func slowdown() async throws {
        try await withBench { bench in
            let run = try await bench.waymark(
                "bench", "bus", "req", "--count", "50", "--warmup", "0s", "--answer-delay", "500us", "-o", "json"
            ).report()
            #expect(run.runs[0].figures.latency.p50 > 500)
            try write(run, slowed: 1, seed: 1, bench, "before.json")
            try write(run, slowed: 1, seed: 2, bench, "again.json")
            try write(run, slowed: 1.2, seed: 3, bench, "slow.json")
            func compare(_ other: String, _ options: String...) async throws -> ProcessResult {
                try await bench.finish(
                    "waymark",
                    ["bench", "compare", "before.json", other, "--metrics", "p50", "--max-regress", "10%"] + options)
            }
            let same = try await compare("again.json", "-o", "json")
            #expect(same.status == 0, "\(same)")
            let row = try ProcessJSON(try #require(same.out.first))
            #expect(
                row.keys == ["label", "metric", "earlier", "later", "ratio", "low", "high", "verdict"]
                    && row["metric"] == "p50" && row["label"] == "64 B")
            let slow = try await compare("slow.json")
            #expect(slow.status == 1 && slow.out.count == 2 && slow.out[1].hasSuffix("worse"), "\(slow)")
            #expect(slow.err.contains { $0.contains("64 B: p50 is ") && $0.contains(" worse: ") })
            // In the other direction it is an improvement.
            let better = try await bench.waymark(
                "bench", "compare", "slow.json", "before.json", "--metrics", "p50", "--max-regress", "0%")
            #expect(better.status == 0 && better.out[1].hasSuffix("better"))
        }
    }

    @Test("too few runs give no verdict; an invalid report is refused with a reason")
    func refused() async throws {
        try await withBench { bench in
            let one = try await bench.waymark(
                "bench", "bus", "req", "--count", "5", "--warmup", "0s", "-o", "json")
            try bench.write(try #require(one.out.first), to: "one.json")
            let few = try await bench.waymark("bench", "compare", "one.json", "one.json", "--max-regress", "10%")
            #expect(
                few.status == 1 && few.out.allSatisfy { $0.hasPrefix("RUN") || $0.contains("too few runs (1 and 1)") })
            #expect(try await bench.waymark("bench", "compare", "one.json", "one.json").status == 0)
            for text in ["", "{}", "[1]", "{\"version\":9}"] {
                try bench.write(text, to: "bad.json")
                let result = try await bench.waymark("bench", "compare", "one.json", "bad.json")
                #expect(result.status == 1 && result.err.contains { $0.contains("bad.json cannot be compared. ") })
            }
            #expect(try await bench.waymark("bench", "compare", "one.json", "none.json").status == 1)
        }
    }
}
