// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LoadTest
import TestProcess
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@Suite("Workers share a load test, as processes", .serialized, .inTurn)
struct ProcessLoadWorkerTests {
    /// Runs `body` with two workers before a service that answers requests.
    private func withWorkers(
        _ body: (ProcessBench, ProcessLoadPeer, _ target: String, [Child], _ endpoints: [String]) async throws -> Void
    ) async throws {
        let peer = ProcessLoadPeer()
        let target = try await peer.endpoint.wait(.seconds(60), for: "the peer") { $0 }
        try await withBench { bench in
            let endpoints = [try Ports.endpoint(), try Ports.endpoint()]
            var workers: [Child] = []
            for endpoint in endpoints {
                let worker = try bench.start(
                    "waymark", ["bench", "worker", "--listen", endpoint, "--target", target])
                _ = try await worker.out.next { $0 == "Listening on \(endpoint). Stop with Ctrl-C." }
                workers.append(worker)
            }
            try await body(bench, peer, target, workers, endpoints)
        }
        try await peer.stop()
    }

    /// Starts a coordinator, and waits until its load has arrived.
    private func long(
        _ bench: ProcessBench, _ peer: ProcessLoadPeer, _ words: [String]
    ) async throws -> Child {
        let before = peer.answered.now
        let program = try bench.start("waymark", ["bench", "bus", "req"] + words + ["--warmup", "0s", "-o", "json"])
        try await peer.answered.wait(.seconds(120), for: "requests") { $0 > before + 50 ? () : nil }
        return program
    }

    private func result(_ program: Child) async throws -> ProcessResult {
        let status = try await program.ended()
        return ProcessResult(
            status: status, out: try await program.out.complete(), err: try await program.err.complete())
    }

    @Test("the sums are right: each case, each part, each second")
    func sums() async throws {
        try await withWorkers { bench, peer, target, _, endpoints in
            let workers = endpoints.joined(separator: ",")
            let sizes = try await bench.waymark(
                "bench", "bus", "req", target, "--count", "1001", "--clients", "2", "--window", "4", "--sizes", "64,1k",
                "--warmup", "0s", "--workers", workers, "--csv", "a.csv", "--assert", "errors=0", "-o", "json"
            ).report()
            #expect(sizes.runs.map(\.label) == ["64 B", "1 KiB"] && sizes.parameters?["workers"] == "2")
            for run in sizes.runs {
                #expect(run.figures.done == 1_001 && run.latencies.count == 1_001 && run.figures.failures == 0)
                #expect(run.shape.clients == 2 && run.figures.intendedRate == nil && run.figures.latency.p50 > 0)
            }
            #expect(peer.answered.now >= 2_002)
            #expect(FileManager.default.fileExists(atPath: "\(bench.path)/a.csv"))

            let profile = try await bench.waymark(
                "bench", "bus", "req", target, "--profile", "1s@100, 1s@200", "--warmup", "0s", "--workers", workers,
                "-o", "json"
            ).report().runs
            #expect(profile.map(\.partNumber) == [nil, 1, 2] && (298...302).contains(profile[0].figures.done))
            #expect((98...102).contains(profile[1].figures.done))
            #expect(profile[1].figures.done + profile[2].figures.done == profile[0].figures.done)
            #expect(profile[0].perSecond.reduce(0) { $0 + $1.done } <= profile[0].figures.done)
            #expect(profile[0].perSecond.first?.done ?? 0 > 60)
        }
    }

    @Test("a worker that is killed is told and counted, and the others' figures are reported")
    func killed() async throws {
        try await withWorkers { bench, peer, target, workers, endpoints in
            let program = try await long(
                bench, peer,
                [target, "--rate", "200", "--duration", "8s", "--workers", endpoints.joined(separator: ",")])
            try await workers[0].slain()
            let ended = try await result(program)
            let figures = try ended.report(status: 1).runs[0].figures
            #expect(figures.errors == ["worker_lost": 1] && figures.intendedRate == 200)
            #expect((400...801).contains(figures.done), "\(figures.done)")
            #expect(ended.err.contains { $0.contains("The worker at \(endpoints[0]) is lost, after ") })
            #expect(ended.err.contains { $0.contains("1 of 2 workers were lost") })
        }
    }

    @Test("the coordinator's Ctrl-C and its death end the runs, and the worker takes the next test")
    func stopped() async throws {
        try await withWorkers { bench, peer, target, workers, endpoints in
            let words = [target, "--duration", "1h", "--workers", endpoints[0]]
            let interrupted = try await long(bench, peer, words)
            let busy = try await bench.waymark("bench", "bus", "req", target, "--workers", endpoints[0])
            #expect(busy.status == 1 && busy.err.contains { $0.contains("says: It runs another test") })
            interrupted.send(SIGINT)
            let run = try await result(interrupted).report(status: 130).runs[0]
            #expect(run.figures.done > 50 && run.figures.failures == 0)
            _ = try await workers[0].err.next { $0.contains("The test has ended") }

            let vanished = try await long(bench, peer, words)
            try await vanished.slain()
            _ = try await workers[0].err.next { $0.contains("The test has ended") }
            let next = try await bench.waymark(
                "bench", "bus", "req", target, "--count", "100", "--warmup", "0s", "--workers", endpoints[0], "-o",
                "json")
            #expect(try next.report().runs[0].figures.done == 100)
        }
    }

    @Test("messages that are no orders, and orders against others, are refused; the worker goes on")
    func hostile() async throws {
        try await withWorkers { bench, peer, target, _, endpoints in
            try await withEventLoop("hostile") { loop in
                let context = try Context()
                var options = SocketOptions.client
                options.linger = .seconds(10)
                let socket = try await AsyncSocket(.dealer, context: context, on: loop, options: options)
                try await socket.connect(endpoints[0])
                func order(_ words: String) -> String { "{\"run\":{\"words\":[\(words)],\"part\":0,\"count\":1}}" }
                for (frames, answer) in [
                    (["{}"], "use the same version"), (["0.0.1", order("\"bus\"")], "use the same version"),
                    ([Product.version, "no"], "none that a worker"),
                    ([Product.version, order("\"bus\",\"req\",\"tcp:\\/\\/127.0.0.1:1\"")], "No --target of mine"),
                    ([Product.version, order("\"near\",\"--embedded\"")], "cannot be used with workers"),
                ] {
                    try await socket.send(frames.map { Array($0.utf8) })
                    let reply = try await socket.receive()
                    #expect(reply.count == 2 && reply[0].text == Product.version)
                    #expect(reply.last?.text.contains(answer) == true, "\(frames): \(reply.last?.text ?? "")")
                }
                // This ends the connection.
                try await socket.send([Array(Product.version.utf8), Array(repeating: 32, count: 70_000)])
                await socket.close()
            }
            #expect(peer.answered.now == 0)
            let good = try await bench.waymark(
                "bench", "bus", "req", target, "--count", "10", "--warmup", "0s", "--workers", endpoints[0], "-o",
                "json")
            #expect(try good.report().runs[0].figures.done == 10)
            let other = try await bench.waymark("bench", "bus", "req", endpoints[1], "--workers", endpoints[0])
            #expect(other.status == 5 && other.err.contains { $0.contains("No --target of mine is \(endpoints[1])") })
        }
    }
}
