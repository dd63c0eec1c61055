// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestProcess
import TestTurns
import Testing
import ZeroMQ

@Suite("Load tests with a profile or a recording, as a process", .serialized, .inTurn)
struct ProcessLoadProfileTests {
    @Test("each part has its line, and its assertions", arguments: ["req", "push"])
    func parts(_ pattern: String) async throws {
        try await withBench { bench in
            let result = try await bench.waymark(
                "bench", "bus", pattern, "--profile", "300ms@100, 300ms@100..500", "--warmup", "100ms", "--plot",
                "a.svg", "--assert", "p99[2]<1ns,throughput[1]>1,p50<60s", "-o", "json")
            let runs = try result.report(status: 1).runs
            #expect(result.err.contains { $0.contains("p99[2]<1ns is broken") && !$0.contains("[1]") }, "\(result)")
            #expect(runs.map(\.partNumber) == [nil, 1, 2] && runs.map(\.partOf) == [nil, "64 B", "64 B"])
            #expect(runs.map(\.figures.done) == [120, 30, 90] && runs.map(\.figures.sent) == [120, 30, 90])
            #expect(runs[2].figures.intendedRate.map { abs($0 - 300) < 1 } == true)
            let plot = try String(contentsOfFile: "\(bench.path)/a.svg", encoding: .utf8)
            #expect(plot.contains(">[1]<") && plot.contains(">[2]<"))
        }
    }

    @Test("a run that goes wrong ends early, with its report and the reason")
    func aborts() async throws {
        try await withBench { bench in
            let result = try await bench.waymark(
                "bench", "bus", "req", "--rate", "200", "--duration", "1h", "--warmup", "0s", "--abort-if",
                "errors>50%,p50>1ns", "--abort-window", "1s", "-o", "json")
            let report = try result.report(status: 1)
            #expect(report.runs[0].figures.done > 0 && report.runs[0].figures.seconds < 600)
            #expect(report.aborted?.hasPrefix("64 B: p50>1ns came true in second ") == true)
            #expect(result.err.contains { $0.contains("\"aborted\"") && $0.contains("came true") }, "\(result)")
        }
    }

    /// Sends a message of 10 bytes every few milliseconds until `isOver`, to whoever pulls.
    private static func push(_ endpoint: Awaited<String?>, until isOver: Locked<Bool>) throws {
        let socket = try Socket(.push, context: Context())
        let bound = try socket.bind("tcp://127.0.0.1:*")
        endpoint.update { $0 = bound }
        var message = Message()
        while !isOver.withLock({ $0 }) {
            message.removeAll()
            message.append([UInt8](repeating: 1, count: 10))
            _ = try socket.send(&message)
            NanoClock.sleep(5_000_000)
        }
    }

    @Test("a recorded load is sent again")
    func records() async throws {
        let (endpoint, isOver) = (Awaited<String?>(nil), Locked(false))
        async let pushing: Void = LoadThread.run { try Self.push(endpoint, until: isOver) }
        defer { isOver.withLock { $0 = true } }
        let bound = try await endpoint.wait(.seconds(60), for: "the sender") { $0 }
        try await withBench { bench in
            let recorded = try await bench.waymark(
                "bench", "record", bound, "load.csv", "--pull", "--duration", "500ms", "-o", "json")
            #expect(recorded.status == 0, "\(recorded)")
            let csv = try Data(contentsOf: URL(fileURLWithPath: "\(bench.path)/load.csv"))
            let recording = try LoadRecording(csv: csv)
            #expect(recording.count > 3 && recording.sizes.allSatisfy { $0 == 10 } && recording.seconds < 60)
            let run = try await bench.waymark(
                "bench", "bus", "req", "--replay", "load.csv", "--warmup", "0s", "-o", "json"
            ).report().runs[0]
            #expect(run.figures.done == UInt64(recording.count) && run.label == "recorded sizes")
        }
        isOver.withLock { $0 = true }
        try await pushing
    }
}
