// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the latency and throughput of the services or of a ZeroMQ bus.",
        discussion: """
            Latency is measured from the intended time, so it includes the time that an operation waited to be sent.

              waymark bench near --window 128
              waymark bench bus req --sizes 64,1k,16k
              waymark bench bus req tcp://127.0.0.1:5555 --rate 5k --assert 'p99<5ms,errors=0'
            """,
        subcommands: [
            BusBench.self, NearBench.self, SearchBench.self, WriteBench.self, IngestBench.self, TailBench.self,
            MixBench.self, HTTPBench.self, WorkerBench.self, CompareBench.self, CleanBench.self, RecordBench.self,
        ])
}
