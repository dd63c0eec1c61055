// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Load-test a bus or the services, and say honestly what they can take.",
        discussion: """
            Latency counts from the intended time, so that an operation which had to wait for its turn has waited.

              waymark bench near --window 128
              waymark bench bus req --sizes 64,1k,16k
              waymark bench bus req tcp://127.0.0.1:5555 --rate 5k --assert 'p99<5ms,errors=0'
            """,
        subcommands: [
            BusBench.self, NearBench.self, SearchBench.self, WriteBench.self, IngestBench.self, TailBench.self,
            MixBench.self,
            CompareBench.self,
        ])
}
