// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestProcess
import TestTurns
import Testing

@Suite("Load tests of a bus, as a process", .serialized, .inTurn)
struct ProcessLoadBusTests {
    @Test("both ends in this process: nothing is lost, and the report has the requested figures")
    func bothEnds() async throws {
        try await withBench { bench in
            let req = try await bench.waymark(
                "bench", "bus", "req", "--count", "2000", "--window", "8", "--clients", "2", "--warmup", "50ms", "-o",
                "json"
            ).report()
            #expect(req.mode == "bus req" && req.runs.count == 1)
            #expect(req.runs[0].figures.done == 2_000 && req.runs[0].figures.failures == 0)
            #expect(req.runs[0].shape.loop == .closed(window: 8) && req.runs[0].latencies.count == 2_000)
            #expect(req.machine.versions["libzmq"]?.hasPrefix("4.") == true)

            let push = try await bench.waymark(
                "bench", "bus", "push", "--count", "5000", "--warmup", "0s", "--size", "1k", "-o", "json"
            ).report().runs[0]
            #expect(push.figures.done == 5_000 && push.figures.bytes == 5_000 * 1_024 && push.label == "1 KiB")
            #expect(push.figures.lost == 0 && push.figures.repeats == 0 && push.figures.reorders == 0)

            let pub = try await bench.waymark(
                "bench", "bus", "pub", "--count", "500", "--rate", "2k", "--clients", "3", "--warmup", "0s", "-o",
                "json"
            ).report().runs[0]
            #expect(pub.figures.sent == 1_500 && pub.figures.done + (pub.figures.lost ?? 0) == 1_500)
            #expect(pub.figures.intendedRate == 6_000)
        }
    }

    @Test("a sweep, its files and its assertions")
    func sweep() async throws {
        try await withBench { bench in
            let result = try await bench.waymark(
                "bench", "bus", "req", "--sizes", "64,4k", "--count", "300", "--warmup", "0s", "--csv", "a.csv",
                "--hgrm", "a.hgrm", "--plot", "a.svg", "--raw", "--assert", "p50<1ns,errors=0,bare>=1%")
            #expect(result.status == 1)
            #expect(result.out.count >= 5 && result.out[0].hasPrefix("RUN") && result.out[1].hasPrefix("64 B "))
            #expect(result.out.contains { $0.hasPrefix("4 KiB, bare") })
            #expect(result.out.contains { $0.hasPrefix("64 B: ") && $0.hasSuffix("% of the bare bus") })
            #expect(result.err.contains { $0.contains("64 B: p50<1ns is broken: p50 was ") })
            #expect(!result.err.contains { $0.contains("errors=0") || $0.contains("bare>=") })
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: "\(bench.path)/\(name)", encoding: .utf8)
            }
            #expect(try text("a.csv").split(separator: "\n").count == 5)
            #expect(try text("a-64-B.hgrm").contains("#[Mean") && text("a-4-KiB.hgrm").contains("Percentile"))
            #expect(try text("a.svg").hasSuffix("</svg>\n"))
            let kept = try await bench.waymark(
                "bench", "bus", "req", "--count", "300", "--warmup", "0s", "--assert", "p50<10s,errors=0")
            #expect(kept.status == 0)
        }
    }

    @Test("a foreign bus; Ctrl-C ends early with the results so far")
    func foreign() async throws {
        let peer = ProcessLoadPeer()
        let endpoint = try await peer.endpoint.wait(.seconds(60), for: "the peer") { $0 }
        try await withBench { bench in
            let report = try await bench.bus(
                ["req", endpoint, "--count", "500", "--window", "4", "--warmup", "0s", "-o", "json"], at: endpoint
            ).report()
            #expect(report.runs[0].figures.done == 500 && report.runs[0].figures.bytes == 1_500)
            #expect(peer.answered.now >= 500)

            let before = peer.answered.now
            func begin() throws -> Child {
                try bench.start(
                    "waymark", ["bench", "bus", "req", endpoint, "--duration", "1h", "--warmup", "0s", "-o", "json"])
            }
            var long = try begin()
            // It ends by itself if it finds nobody, as on a busy machine.
            for _ in 0..<5 {
                try await until("requests have come", within: .seconds(120)) {
                    peer.answered.now > before + 100 || long.status != nil
                }
                guard long.status != nil,
                    try await long.err.complete().contains(where: { ProcessBench.isMissed(endpoint, in: $0) })
                else { break }
                long = try begin()
            }
            long.send(SIGINT)
            let status = try await long.ended()
            let ended = ProcessResult(
                status: status, out: try await long.out.complete(), err: try await long.err.complete())
            let run = try ended.report(status: 130).runs[0]
            #expect(run.figures.done >= 100 && run.figures.seconds < 600)
        }
        try await peer.stop()
    }

    @Test("without --rate no rate can be asserted, and other options that do not fit are refused")
    func refused() async throws {
        try await withBench { bench in
            let endpoint = try Ports.endpoint()
            for wrong in [
                ["--assert", "rate>=0.9"], ["--assert", "p98<1ms"], ["--assert", "bare>=50%"], ["--sizes", "8"],
                ["--rate", "5", "--window", "2"], ["--duration", "1s", "--count", "1"],
                ["--assert", "loss=0"],
                ["--raw", "--rate", "10", "--assert", "bare>=50%"], ["--plot", "nowhere/a.svg"],
                ["--profile", "1s"], ["--profile", "1s@1k", "--rate", "5"], ["--profile", "1s@1k", "--count", "5"],
                ["--profile", "1s@1k", "--assert", "p99[2]<1s"], ["--assert", "p99[1]<1s"], ["--replay", "none.csv"],
                ["--abort-if", "rate<50%"], ["--abort-window", "5s"],
                ["--abort-if", "p99>1s", "--abort-window", "1500ms"],
                ["--clients", "2", "--window", "600000"], ["--size", "17M"], ["--ramp"],
            ] {
                let result = try await bench.finish("waymark", ["bench", "bus", "req"] + wrong)
                #expect(result.status == 2 && !result.err.isEmpty, "\(wrong)")
            }
            let unseen = try await bench.waymark("bench", "bus", "push", endpoint, "--assert", "loss=0")
            #expect(unseen.status == 2 && unseen.err.contains { $0.contains("--receive") })
        }
    }

    @Test("Ctrl-C before the first message ends it with 130 too")
    func interruptedEarly() async throws {
        try await withBench { bench in
            let program = try bench.start(
                "waymark",
                [
                    "bench", "bus", "push", try Ports.endpoint(), "--receive", try Ports.endpoint(), "-o",
                    "json",
                ])
            // It takes signals by then, and nobody sends it anything.
            try await Task.sleep(for: .seconds(1))
            program.send(SIGINT)
            #expect(try await program.ended() == 130, "\(program.err.all)")
        }
    }

    @Test("a pause of 200 ms shows in an open loop, and hardly in a closed one")
    func coordinatedOmission() async throws {
        try await withBench { bench in
            let open = try await bench.waymark(
                "bench", "bus", "req", "--rate", "1k", "--duration", "600ms", "--warmup", "0s", "--stall", "200:200ms",
                "-o", "json"
            ).report().runs[0].figures
            let closed = try await bench.waymark(
                "bench", "bus", "req", "--count", "3000", "--warmup", "0s", "--stall", "200:200ms", "-o", "json"
            ).report().runs[0].figures
            #expect(open.latency.p99_9 > 150_000 && open.latency.p90 > 50_000)
            // Other load on this machine affects both in the same way.
            #expect(closed.latency.p99 < 0.6 * open.latency.p99 && closed.latency.max > 150_000)
        }
    }

    @Test("the limit of an echo that works 2 ms for each answer is below 500 a second")
    func ramp() async throws {
        try await withBench { bench in
            let report = try await bench.waymark(
                "bench", "bus", "req", "--ramp", "--rate", "200", "--duration", "100ms", "--warmup", "0s",
                "--answer-delay", "2ms", "--assert", "p50<40ms", "-o", "json"
            ).report()
            let knee = try #require(report.knees?["64 B"])
            #expect(knee < 520 && report.runs[0].label == "64 B at 200/s" && report.runs.count > 4)
            let hopeless = try await bench.waymark(
                "bench", "bus", "req", "--ramp", "--rate", "4", "--count", "1", "--warmup", "0s", "--assert", "p50<1ns")
            #expect(hopeless.status == 1 && hopeless.err.contains { $0.contains("no rate meets the assertions") })
        }
    }
}
