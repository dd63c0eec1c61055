// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkCLI

private let target = "tcp://127.0.0.1:5555"

private let orders: [[String]] = [
    ["bus", "req", target, "--sizes", "64,1k", "--seed", "3", "--profile=1s@1k"],
    ["bus", "push", target, "--rate", "1k"], ["near", "--connect", target, "--around", "-33.8,151.2"],
    ["search", "--connect=\(target)", "--text", "opera"],
]

private let hostile: [[String]] = [
    [], ["bus"], ["bus", "req"], ["near"], ["near", "--embedded"], ["--help"], ["bus", "--help"],
    // Other endpoints, and other spellings of the same one.
    ["bus", "req", "tcp://127.0.0.1:5556"], ["bus", "req", "tcp://localhost:5555"],
    ["bus", "req", "tcp://127.0.0.1:05555"], ["bus", "req", "tcp://127.1:5555"],
    ["bus", "pub", target, "--receive", "tcp://127.0.0.1:1"], ["near", "--connect", "tcp://127.0.0.1:1"],
    ["near", "--connect", "\(target),tcp://127.0.0.1:1"], ["bus", "push", target, "--receive", target],
    // Files, services, keys, and what another machine has no use for.
    ["near", "--connect", target, "--embedded"], ["near", "--embedded", "--data", "/etc/passwd"],
    ["bus", "req", target, "--csv", "/tmp/a"], ["bus", "req", target, "--plot=/tmp/a"],
    ["bus", "req", target, "--replay", "/etc/passwd"], ["bus", "req", target, "--curve-key", "/etc/passwd"],
    ["bus", "req", target, "--raw"], ["bus", "req", target, "--ramp"], ["bus", "req", target, "-o", "json"],
    ["bus", "req", target, "--workers", "tcp://127.0.0.1:7000"], ["mix", "/etc/passwd"],
    ["write", "--connect", target], ["compare", "a", "b"], ["clean", "k3x9q2", "--connect", target],
    ["worker", "--listen", target, "--target", target],
    // Options that hide as values.
    ["bus", "req", target, "--seed", "--raw"], ["bus", "req", target, "--seed"],
    ["bus", "req", target, "--", "--raw"], ["bus", "req", target, "--text", "-o"],
]

@Suite("Workers of a load test", .inShortTurn)
struct CLIBenchWorkerTests {
    private static let shape = LoadShape(loop: .closed(window: 1))

    private func result(_ nanoseconds: [UInt64], errors: [String: UInt64] = [:]) -> LoadResult {
        var tally = Tally(from: 0)
        for time in nanoseconds { tally.record(time, bytes: 10, at: 500_000_000) }
        tally.sent = UInt64(nanoseconds.count)
        tally.turn(to: 1_000_000_000)
        var result = LoadResult(tally, seconds: 1, rate: 100)
        (result.figures.errors, result.figures.lost, result.figures.generatorBusy) = (errors, 3, 0.5)
        return result
    }

    private func run(_ result: LoadResult) -> LoadReport.Run {
        LoadReport.Run(label: "64 B", shape: Self.shape, result: result)
    }

    @Test("histograms, counts, seconds and parts of workers add up as if one program had counted them")
    func merged() throws {
        let times: [[UInt64]] = [[1_000, 1_000, 2_000_000], [3_000, 40_000, 500_000, 6_000_000]]
        let reports = times.map { times in
            var part = result(Array(times.prefix(2)))
            (part.name, part.number) = ("1s@1k", 2)
            return [
                run(result(times, errors: ["timed_out": 2])),
                LoadReport.Run(partOf: "64 B", shape: Self.shape, result: part),
            ]
        }
        let (all, merged) = (result(times.flatMap { $0 }), LoadResult(merging: reports, of: 2))
        #expect(run(merged).histogram == run(all).histogram && merged.figures.done == 7 && merged.figures.sent == 7)
        #expect(merged.figures.bytes == 70 && merged.figures.lost == 6 && merged.figures.errors == ["timed_out": 4])
        // A report has the highest value of each bucket.
        #expect(abs(merged.figures.latency.p99 / all.figures.latency.p99 - 1) < 0.001)
        #expect(abs(merged.figures.latency.mean / all.figures.latency.mean - 1) < 1e-9)
        #expect(merged.figures.intendedRate == 200 && merged.figures.generatorBusy == 0.5)
        #expect(merged.tally.seconds.map(\.done) == [7] && merged.tally.seconds[0].p99 > 5_000)
        #expect(merged.parts.map(\.name) == ["1s@1k"] && merged.parts[0].number == 2)
        #expect(merged.parts[0].figures.done == 4)
        // A lost worker lowers the rate that was reached, not the rate that was meant.
        #expect(LoadResult(merging: reports, of: 4).figures.intendedRate == 400)
        #expect(LoadResult(merging: [], of: 2).figures.done == 0)
    }

    @Test("numbers that cannot be true overflow nothing, and names are plain")
    func bounded() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var text = String(decoding: try encoder.encode(run(result([1_000], errors: ["e": 77]))), as: UTF8.self)
        for (now, wrong) in [
            ("\"seconds\":1,\"sent\":1", "\"seconds\":1e-300,\"sent\":18446744073709551615"),
            ("\"done\":1", "\"done\":18446744073709551615"), ("\"p99\":1", "\"p99\":1e308"),
            ("\"e\":77", "\"\\u001b[2J\":18446744073709551615"), (",1]]", ",18446744073709551615],[5]]"),
        ] {
            #expect(text.contains(now), "\(now) in \(text)")
            text.replace(now, with: wrong)
        }
        let wrong = try JSONDecoder().decode(LoadReport.Run.self, from: Data(text.utf8))
        let merged = LoadResult(merging: Array(repeating: [wrong, wrong], count: 16), of: 16)
        #expect(merged.figures.throughput < 1.8e19 && merged.figures.errors.keys.sorted() == ["other"])
        #expect(merged.tally.seconds[0].p99 <= 3.6e9 && merged.parts.count == 1)
    }

    @Test("a second is told when all workers that still run have told it")
    func seconds() {
        func told(_ done: Int) -> Tally.Second {
            result(Array(repeating: UInt64(done) * 1_000, count: done)).tally.seconds[0]
        }
        var shared = SharedSeconds(workers: 3)
        shared.add(told(2), of: 0)
        shared.add(told(3), of: 1)
        let early = shared.next()
        shared.add(told(5), of: 2)
        let first = shared.next()
        #expect(early?.number == nil && first?.number == 1)
        #expect(first?.second.done == 10 && first?.second.p99 == told(5).p99)
        shared.add(told(7), of: 0)
        shared.end(1)
        let waiting = shared.next()
        shared.end(2)
        let (second, none) = (shared.next(), shared.next())
        #expect(waiting?.number == nil && second?.second.done == 7 && none?.number == nil)
        #expect(shared.done(0) == 9)
    }

    @Test("an order has the words of the load, without files, outputs and assertions")
    func order() throws {
        let words = try WorkerWords.order([
            "bus", "req", target, "--rate", "1k", "-o", "json", "--csv=a.csv", "--assert", "p99<5ms", "--echo",
            "--seed", "9", "--workers", "tcp://a:1", "--worker-key", "a.key",
        ])
        #expect(words == ["bus", "req", target, "--rate", "1k", "--echo"])
        for wrong in [["--raw"], ["--ramp"], ["--replay", "a.csv"], ["--embedded"], ["--abort-if", "errors>1%"]] {
            #expect(throws: Failure.self, "\(wrong)") { try WorkerWords.order(["bus", "req"] + wrong) }
        }
        let long = ["bus", "req", target] + Array(repeating: "--echo", count: 10_000)
        #expect(throws: Failure.self) { try WorkerWords.order(long) }
        #expect(throws: Failure.self) { try BenchWorker.test(long, [target]) }
    }

    @Test("orders that a worker runs", arguments: orders)
    func taken(_ words: [String]) throws {
        #expect(try BenchWorker.test(words, [target]).targets == [target])
    }

    @Test("orders that a worker refuses", arguments: hostile)
    func refused(_ words: [String]) {
        #expect(throws: Failure.self) { try BenchWorker.test(words, [target]) }
    }

    @Test("the messages of another version, and what is no message, are refused with a sentence")
    func letters() throws {
        func order(_ frames: [String]) throws -> WorkerOrder {
            var message = Message()
            for frame in frames { message.append(frame) }
            return try WorkerLetter.body(of: message)
        }
        var message = Message()
        WorkerLetter.append(WorkerOrder.run(words: ["bus"], part: 1, count: 2), to: &message)
        guard case .run(["bus"], 1, 2) = try WorkerLetter.body(of: message) as WorkerOrder else {
            Issue.record("another order")
            return
        }
        for frames in [["0.0.1", "{\"stop\":{}}"], ["\u{1b}[2J", "{}"], ["{}"]] {
            let error = #expect(throws: Failure.self) { try order(frames) }
            #expect(error?.status == .protocolVersion && error?.message.contains("\u{1b}") == false)
        }
        for body in ["", "{", "[]", "{\"run\":{\"words\":1}}", String(repeating: "[", count: 60_000)] {
            #expect(throws: Failure.self) { try order([Product.version, body]) }
        }
    }

    @Test("a file of admitted keys, with comments; what is no public key admits nobody")
    func admitted() throws {
        let (one, other) = (try CurveKeyPair.generate().publicKey, try CurveKeyPair.generate().publicKey)
        let path = NSTemporaryDirectory() + "admitted-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func keys(_ text: String) throws -> [CurveKey] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return try WorkerBench.keys(in: path)
        }
        #expect(try keys("# who may\n\(one.z85)\npublic \(other.z85)\n") == [one, other])
        #expect(try keys("secret \(one.z85)\nserver \(one.z85)\npublic \(other.z85)\nmore\n") == [other])
        for wrong in ["", "# nobody\n", "secret \(one.z85)\n", "server \(one.z85)\n", "public short\n"] {
            #expect(throws: Failure.self, "\(wrong)") { try keys(wrong) }
        }
        #expect(throws: Failure.self) { try WorkerBench.keys(in: path + "-none") }
    }

    @Test("options that do not fit, and places that others can reach")
    func options() async throws {
        let worker = ["bench", "worker", "--target", target, "--listen"]
        let all: [[String]] = [
            worker + ["tcp://0.0.0.0:7000"], worker + ["tcp://*:7000"],
            worker + ["tcp://127.0.0.1:7000", "--key", "a"],
            ["bench", "worker", "--listen", "tcp://127.0.0.1:7000"],
            ["bench", "bus", "req", target, "--worker-key", "a"],
            ["bench", "bus", "req", target, "--workers", "tcp://a:1", "--worker-key", "a", "--worker-key", "b"],
            ["bench", "bus", "req", "--workers", "tcp://127.0.0.1:1"],
            ["bench", "bus", "req", target, "--workers", "tcp://127.0.0.1:1", "--raw"],
            ["bench", "bus", "req", target, "--workers", "tcp://127.0.0.1:1,tcp://127.0.0.1:2"],
            ["bench", "bus", "push", target, "--receive", target, "--workers", "tcp://127.0.0.1:1"],
        ]
        for wrong in all {
            let (out, err) = (MemorySink(), MemorySink())
            let status = await WaymarkTool.run(wrong, in: Surroundings(environment: [:], out: out, err: err))
            #expect(status == 2 && !err.text.isEmpty && out.text.isEmpty, "\(wrong): \(err.text)")
        }
        let nobody = await tool("bench", "bus", "req", target, "--rate", "1", "--workers", "tcp://127.0.0.1:1")
        #expect(nobody.status == 3 && nobody.err.contains("The worker at tcp://127.0.0.1:1 does not answer"))
    }
}
