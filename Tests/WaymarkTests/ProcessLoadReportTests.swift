// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import TestWeb
import Testing

@Suite("Pages, verdicts and metrics of a load test, as a process", .serialized, .inTurn)
struct ProcessLoadReportTests {
    private func text(_ bench: ProcessBench, _ name: String) throws -> String {
        try String(contentsOfFile: "\(bench.path)/\(name)", encoding: .utf8)
    }

    @Test("a page with each run, and a verdict on each assertion of each case")
    func files() async throws {
        try await withBench { bench in
            let result = try await bench.waymark(
                "bench", "bus", "req", "--sizes", "64,4k", "--count", "200", "--warmup", "0s", "--raw", "--report",
                "a.html", "--junit", "a.xml", "--assert", "p50<1ns,errors=0")
            #expect(result.status == 1)
            let page = try text(bench, "a.html")
            for label in ["64 B", "64 B, bare bus", "4 KiB", "4 KiB, bare bus"] {
                #expect(page.contains("<td>\(label)</td>"), "\(label)")
            }
            #expect(page.contains("waymark bench bus req --sizes 64,4k"))
            #expect(page.contains("2 of 6 assertions are broken."))
            #expect(page.contains("<li>64 B: CPU of this program "))
            let verdicts = try text(bench, "a.xml")
            #expect(verdicts.contains("tests=\"6\" failures=\"2\""))
            #expect(verdicts.contains("name=\"4 KiB: p50&lt;1ns\""))
            #expect(verdicts.contains("4 KiB: p50&lt;1ns is broken: p50 was "))
            let wrong = try await bench.waymark("bench", "bus", "req", "--report", "nowhere/a.html")
            #expect(wrong.status == 2 && wrong.err.contains { $0.contains("nowhere/a.html cannot be written") })
        }
    }

    @Test("a search for the highest rate has one verdict")
    func ramp() async throws {
        try await withBench { bench in
            let hopeless = try await bench.waymark(
                "bench", "bus", "req", "--ramp", "--rate", "4", "--count", "1", "--warmup", "0s", "--assert", "p50<1ns",
                "--junit", "a.xml")
            #expect(hopeless.status == 1)
            let verdicts = try text(bench, "a.xml")
            #expect(verdicts.contains("tests=\"1\" failures=\"1\"") && verdicts.contains("no rate meets the"))
        }
    }

    @Test("the metrics are there while it runs, and an interrupted test has no verdict but that")
    func metrics() async throws {
        try await withBench { bench in
            let program = try bench.start(
                "waymark",
                [
                    "bench", "bus", "req", "--rate", "200", "--duration", "1h", "--warmup", "0s", "--metrics",
                    "127.0.0.1:0", "--junit", "a.xml", "--assert", "errors=0",
                ])
            let line = try await program.err.next { $0.hasPrefix("The metrics are at http://127.0.0.1:") }
            let port = try #require(line.firstMatch(of: /:(\d+)\/metrics/).flatMap { UInt16($0.output.1) })
            try await until("a second is over") {
                let answer = try await PlainHTTP.request(port: port, "/metrics")
                return answer.status == 200
                    && answer.text.contains(/waymark_bench_operations_total\{run="64 B"\} [1-9]/)
                    && answer.text.contains(/waymark_bench_latency_seconds\{run="64 B",quantile="0.99"\} [0-9]/)
            }
            let second = try await bench.waymark(
                "bench", "bus", "req", "--count", "1", "--metrics", "127.0.0.1:\(port)")
            #expect(second.status == 1 && second.err.contains { $0.contains("give --metrics another port") })
            program.send(SIGINT)
            #expect(try await program.ended() == 130)
            let verdicts = try text(bench, "a.xml")
            #expect(verdicts.contains("tests=\"1\" failures=\"1\"") && verdicts.contains("ended early"))
        }
    }
}
