// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestProcess
import TestTurns
import Testing

@Suite("Load tests of the services, as a process", .inTurn)
struct ProcessLoadServiceTests {
    @Test("each kind of request, checked; written landmarks exist; refusals are counted by code")
    func requests() async throws {
        try await withProcessPair { pair in
            let ingest = try await pair.waymark(
                "bench", "ingest", "--yes", "--rows", "50", "--count", "8", "--warmup", "0s", "-o", "json"
            ).report().runs[0]
            #expect(ingest.figures.done == 8 && ingest.rowsPerOperation == 50 && ingest.figures.failures == 0)
            let write = try await pair.waymark(
                "bench", "write", "--yes", "--count", "100", "--window", "16", "--warmup", "0s", "-o", "json"
            ).report().runs[0]
            #expect(write.figures.done == 100 && write.figures.failures == 0)
            let status = try await ProcessCommandTests.json(pair.status("-o", "json"))[0]
            #expect(status.object("storage")?.number("landmarks") == 500)

            let near = try await pair.waymark(
                "bench", "near", "--count", "500", "--clients", "2", "--window", "4", "--warmup", "50ms", "-o", "json"
            ).report()
            #expect(near.mode == "near" && near.runs[0].figures.done == 500 && near.runs[0].figures.failures == 0)
            // Twenty landmarks in each answer.
            #expect(near.runs[0].figures.bytes > 500 * 1_000)
            let around = try await pair.waymark(
                "bench", "near", "--around", "-33.8568,151.2153", "--radius", "1m", "--rate", "20", "--count", "20",
                "--warmup", "0s", "--assert", "errors=0,rate>=0.5")
            #expect(around.status == 0 && around.out[1].hasPrefix("nearest 20"))
            let search = try await pair.waymark(
                "bench", "search", "--count", "50", "--text", "harbour", "--warmup", "0s", "-o", "json"
            ).report().runs[0]
            #expect(search.figures.done == 50 && search.figures.failures == 0)

            try await pair.storage.slain()
            let refused = try await pair.waymark(
                "bench", "write", "--yes", "--count", "5", "--timeout", "5s", "--warmup", "0s", "--assert", "errors=0",
                "-o", "json")
            let errors = try refused.report(status: 1).runs[0].figures.errors
            #expect(
                errors.values.reduce(0, +) == 5 && errors.keys.allSatisfy { ["unavailable", "timed_out"].contains($0) })
        }
    }

    @Test("no service: it ends with 3 before any load")
    func nobody() async throws {
        try await withBench { bench in
            let result = try await bench.waymark(
                "bench", "near", "--connect", try Ports.endpoint(), "--timeout", "300ms")
            #expect(result.status == 3 && result.out.isEmpty)
        }
    }
}
