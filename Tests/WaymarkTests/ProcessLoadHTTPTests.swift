// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestProcess
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@Suite("Load tests of the HTTP interface, as a process", .serialized, .inTurn)
struct ProcessLoadHTTPTests {
    @Test("with services of its own: answers in a closed and in an open loop; each stream gets each write once")
    func embedded() async throws {
        try await withBench { bench in
            let near = try await bench.waymark(
                "bench", "http", "near", "--embedded", "--landmarks", "500", "--clients", "4", "--count", "200",
                "--warmup", "0s", "--assert", "errors=0", "-o", "json"
            ).report()
            #expect(near.mode == "http near" && near.runs[0].figures.done == 200)
            // Twenty landmarks in each answer.
            #expect(near.runs[0].figures.bytes > 200 * 1_000)
            #expect((near.runs[0].figures.servicesMemory ?? 0) > 1 << 20)
            let tail = try await bench.waymark(
                "bench", "http", "tail", "--embedded", "--landmarks", "10", "--streams", "20", "--rate", "100",
                "--count", "50", "--warmup", "100ms", "--assert", "loss=0,repeats=0,reorders=0,errors=0", "-o", "json"
            ).report()
            #expect(tail.runs[0].figures.done == 1_000 && tail.runs[0].figures.sent == 1_000)
            #expect(tail.runs[1].partOf == "20 streams" && tail.runs[1].figures.done == 50)
        }
    }

    @Test("a running service: streams that only follow get what others write; writes are removed by their mark")
    func running() async throws {
        let port = try Ports.free()
        try await withProcessPair(web: port) { pair in
            try await until("the interface listens") {
                (try? await PlainHTTP.request(port: port, "/v1/status"))?.status == 200
            }
            let url = "http://127.0.0.1:\(port)"
            let open = try await pair.waymark(
                "bench", "http", "near", url, "--clients", "2", "--rate", "100", "--count", "50", "--warmup", "0s",
                "--assert", "errors=0,skipped=0", "-o", "json"
            ).report()
            #expect(open.runs[0].figures.done == 50)
            try await withClient(pair.client()) { client in
                let writer = Task {
                    var number = 0.0
                    while !Task.isCancelled {
                        number += 1
                        let place = try Coordinate(latitude: number / 1_000, longitude: 1)
                        _ = try await client.add(LandmarkDraft(name: "Other \(Int(number))", coordinate: place))
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                let follow = try await pair.waymark(
                    "bench", "http", "tail", url, "--streams", "3", "--duration", "3s", "--warmup", "100ms", "--assert",
                    "loss=0,repeats=0,reorders=0,errors=0", "-o", "json"
                ).report()
                writer.cancel()
                let figures = follow.runs[0].figures
                #expect(follow.runs.count == 1 && figures.done > 0 && figures.done == figures.sent)
                #expect(figures.done % 2 == 0 && follow.removal == nil)
            }
            let write = try await pair.waymark(
                "bench", "http", "tail", url, "--yes", "--rate", "200", "--count", "20", "--warmup", "0s", "-o", "json"
            ).report()
            #expect(write.runs[0].figures.done == 20 && write.runs[0].figures.lost == 0)
            let removal = try #require(write.removal).split(separator: " ").dropFirst().map(String.init)
            #expect(try await pair.bench.finish("waymark", removal, environment: pair.variables).status == 0)
            let refused = try await pair.waymark("bench", "http", "tail", url, "--rate", "10")
            #expect(refused.status == 2 && refused.err.contains { $0.contains("add --yes to confirm") }, "\(refused)")
        }
    }

    @Test("nobody there is 3 with a sentence, and what cannot be measured is 2")
    func refused() async throws {
        let url = "http://127.0.0.1:\(try Ports.free())"
        try await withBench { bench in
            for command in ["near", "tail"] {
                let result = try await bench.waymark("bench", "http", command, url, "--warmup", "0s")
                #expect(result.status == 3 && result.out.isEmpty, "\(result)")
                #expect(result.err.contains { $0.contains("Nobody listens at \(url)") }, "\(result)")
            }
            for (words, reason) in [
                (["near", "https://127.0.0.1"], "k6"), (["near", "127.0.0.1:80"], "http://HOST:PORT"),
                (["near", "\(url)/v1"], "without a path"), (["near", url, "--embedded"], "--embedded"),
                (["near", url, "--raw"], "--raw"), (["near", url, "--window", "5000"], "connection"),
                (["near", "http://example.org", "--token", "x"], "in the clear"),
                (["tail", url, "--count", "5"], "--rate"),
            ] {
                let result = try await bench.finish("waymark", ["bench", "http"] + words)
                #expect(result.status == 2 && result.err.contains { $0.contains(reason) }, "\(words): \(result)")
            }
        }
    }
}
