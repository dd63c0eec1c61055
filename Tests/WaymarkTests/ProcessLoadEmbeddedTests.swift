// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LoadTest
import TestProcess
import TestTurns
import Testing

@Suite("Load tests with services of their own", .serialized, .inTurn)
struct ProcessLoadEmbeddedTests {
    /// The service processes that run in the bench's folder.
    private func services(_ bench: ProcessBench) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { pid in
            guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return false }
            let words = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.contains { $0.hasPrefix("\(bench.path)/tmp/waymark-bench-") }
        }
    }

    private func isClean(_ bench: ProcessBench) -> Bool {
        services(bench).isEmpty
            && (try? FileManager.default.contentsOfDirectory(atPath: "\(bench.path)/tmp"))?.isEmpty == true
    }

    @Test("they have the requested landmarks, are measured, and are gone afterwards")
    func near() async throws {
        try await withBench { bench in
            let report = try await bench.waymark(
                "bench", "near", "--embedded", "--landmarks", "2500", "--count", "200", "--warmup", "0s", "--raw", "-o",
                "json"
            ).report()
            #expect(report.runs.map(\.isBare) == [false, true] && report.runs.allSatisfy { $0.figures.done == 200 })
            // Twenty hits in each answer, and answers of the same size on the bare bus.
            let (own, bare) = (report.runs[0].figures, report.runs[1].figures)
            #expect(own.bytes > 200 * 1_000 && Double(bare.bytes) > 0.9 * Double(own.bytes))
            #expect((own.servicesMemory ?? 0) > 1 << 20 && own.servicesCPU != nil && bare.servicesCPU == nil)
            #expect(isClean(bench))
        }
    }

    @Test(
        "they load a given data set, in a known format or mapped, and refuse unusable options before they start")
    func data() async throws {
        try await withBench { bench in
            try bench.write(
                """
                {"type":"FeatureCollection","features":[
                  {"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[151.2,-33.8]}},
                  {"type":"Feature","properties":{"name":"B"},"geometry":{"type":"Point","coordinates":[151.3,-33.9]}},
                  {"type":"Feature","properties":{"name":"C"},"geometry":{"type":"Point","coordinates":[2.3,48.8]}}]}
                """, to: "three.geojson")
            try bench.write(
                "{\"data\":{\"items\":[{\"title\":\"A\",\"y\":1,\"x\":2},{\"title\":\"B\",\"y\":3,\"x\":4}]}}",
                to: "two.json")
            let mapped = [
                "two.json", "--data-rows", "data.items", "--name-field", "title", "--lat-field", "y", "--lng-field",
                "x",
            ]
            var sizes: [UInt64] = []
            for data in [["three.geojson"], ["three.geojson", "--format", "geojson"], mapped] {
                let report = try await bench.finish(
                    "waymark",
                    ["bench", "near", "--embedded", "--data"] + data + [
                        "--check", "--count", "50", "--warmup", "0s", "-o", "json",
                    ]
                ).report()
                #expect(report.runs[0].figures.done == 50 && report.runs[0].figures.failures == 0)
                #expect(report.parameters?["data"] == data[0] && report.parameters?["landmarks"] == nil)
                sizes.append(report.runs[0].figures.bytes / 50)
            }
            // Each answer has all three landmarks, or two. A header may be a byte longer, because it has the age of
            // the answer.
            #expect(max(sizes[0], sizes[1]) - min(sizes[0], sizes[1]) <= 4)
            #expect(Double(sizes[2]) < 0.8 * Double(sizes[0]))
            try bench.write("[]", to: "none.json")
            for (arguments, status) in [
                (["--data", "three.geojson"], 2), (["--embedded", "--data", "three.geojson", "--landmarks", "5"], 2),
                (["--embedded", "--format", "geojson"], 2), (["--embedded", "--data", "none.json"], 1),
                (["--embedded", "--data", "nowhere.json"], 1),
            ] as [([String], Int32)] {
                let result = try await bench.finish("waymark", ["bench", "near"] + arguments)
                #expect(result.status == status, "\(arguments): \(result)")
            }
            #expect(isClean(bench))
        }
    }

    @Test("writes beside the bare disk; each subscriber receives each write once and in order")
    func tail() async throws {
        try await withBench { bench in
            let write = try await bench.waymark(
                "bench", "write", "--embedded", "--landmarks", "10", "--count", "64", "--window", "16", "--warmup",
                "0s",
                "--raw", "-o", "json"
            ).report()
            #expect(write.runs.map(\.figures.done) == [64, 64])

            let tail = try await bench.waymark(
                "bench", "tail", "--embedded", "--landmarks", "10", "--count", "50", "--rate", "200", "--subscribers",
                "8", "--warmup", "100ms", "--raw", "--assert", "loss=0,repeats=0,reorders=0,errors=0", "-o", "json"
            ).report()
            #expect(tail.runs.count == 3 && tail.runs[0].figures.done == 400 && tail.runs[0].figures.sent == 400)
            #expect(tail.runs[1].partOf == "8 subscribers" && tail.runs[1].figures.done == 50)
            // The same number of messages, at the rate of the acknowledged writes.
            let bare = tail.runs[2].figures
            #expect(tail.runs[2].isBare && bare.sent == 400 && bare.lost == 0)
            #expect(abs((bare.intendedRate ?? 0) / 8 - tail.runs[1].figures.throughput) < 0.01)
            #expect(isClean(bench))
        }
    }

    @Test("a mix is chosen by weight, and an invalid file is refused with its line")
    func mix() async throws {
        try await withBench { bench in
            try bench.write(
                "- operation: near\n  weight: 9\n  radius: 5km\n- operation: write\n- operation: ingest\n  rows: 3\n",
                to: "mix.yaml")
            let mix = try await bench.waymark(
                "bench", "mix", "mix.yaml", "--embedded", "--landmarks", "100", "--count", "300", "--window", "8",
                "--warmup", "0s", "-o", "json"
            ).report()
            #expect(mix.runs.map(\.label) == ["mix", "near", "write", "ingest"] && mix.runs[0].figures.failures == 0)
            let parts = mix.runs.dropFirst().map(\.figures.done)
            #expect(parts.reduce(0, +) == 300 && parts[0] > 200 && parts[1] > 5 && parts[2] > 5)
            for (text, reason) in [
                ("- operation: fly\n", "line 1"), ("- operation: near\n  rows: 3\n", "rows"), ("near", "list"),
                ("- operation: near\n  weight: 0\n", "line 2"),
            ] {
                try bench.write(text, to: "bad.yaml")
                let result = try await bench.waymark("bench", "mix", "bad.yaml")
                #expect(result.status == 2 && result.err.contains { $0.contains(reason) }, "\(result)")
            }
        }
    }

    @Test(
        "Ctrl-C and a closed terminal end the load, report, and stop the services; a second one leaves nothing behind")
    func interrupted() async throws {
        try await withBench { bench in
            func begin() async throws -> Child {
                let program = try bench.start(
                    "waymark",
                    [
                        "bench", "near", "--embedded", "--landmarks", "100", "--duration", "1h", "--warmup", "0s", "-o",
                        "json",
                    ])
                // When the landmarks are generated, or a moment before.
                try await until("both services are there", within: .seconds(120)) { services(bench).count >= 2 }
                return program
            }
            for (number, expected) in [(SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)] {
                let first = try await begin()
                first.send(number)
                let status = try await first.ended()
                #expect(status == expected && isClean(bench), "\(status): \(first.err.all)")
            }

            let second = try await begin()
            second.send(SIGSTOP)
            second.send(SIGINT)
            second.send(SIGTERM)
            second.send(SIGCONT)
            #expect([130, 143].contains(try await second.ended()))
            try await until("nothing is left of it") { isClean(bench) }
        }
    }
}
