// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess
import TestTurns
import Testing
import WaymarkProtocol

@Suite("Libraries that are opened at their first use", .inTurn)
struct ProcessLibraryTests {
    @Test("a start needs neither libcurl nor libpq, and what needs a missing one names it")
    func missing() async throws {
        try await withBench { bench in
            // The dynamic linker finds these files first, and refuses them because they are empty.
            for name in ["libcurl.so.4", "libpq.so.5"] { try bench.write("", to: name) }
            let usual = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
            let without = ["LD_LIBRARY_PATH": bench.path + usual]

            let version = try await bench.waymark("--version", environment: without)
            #expect(version.status == 0 && version.out == [Product.version], "\(version)")

            let fetch = try await bench.waymark(
                "ingest", "http://127.0.0.1:9/a.json", "--source", "web", "--dry-run", environment: without)
            #expect(fetch.status == 1 && fetch.out.isEmpty)
            #expect(fetch.err.last?.contains("libcurl cannot be loaded (") == true, "\(fetch.err)")
            #expect(fetch.err.last?.contains("libcurl.so.4: file too short") == true, "\(fetch.err)")

            let storage = try await bench.finish(
                "waymark-storage", ["--engine", "postgresql://nobody@127.0.0.1:9/none"], environment: without)
            #expect([1, 2].contains(storage.status))
            #expect(storage.err.contains { $0.contains("libpq cannot be loaded: ") }, "\(storage.err)")
            #expect(storage.err.contains { $0.contains("libpq.so.5: file too short") }, "\(storage.err)")
        }
    }
}
