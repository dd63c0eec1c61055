// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest

/// What becomes of a load test's figures.
struct BenchReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What must hold, with commas: else it ends with 1. \(LoadMetric.allCases.map(\.rawValue).joined(separator: ", ")) "
                + "with < <= = >= >. Example: --assert 'p99<5ms,loss=0,rate>=0.95'.", valueName: "list"),
        transform: Values.assertions)
    var assert: [[LoadAssertion]] = []

    @Option(help: ArgumentHelp("Write a line for each run as CSV. Example: --csv runs.csv.", valueName: "file"))
    var csv: String?

    @Option(
        help: ArgumentHelp(
            "Write the latencies in HdrHistogram's text form, in milliseconds; of several sizes one file each, named "
                + "after it. Example: --hgrm near.hgrm.", valueName: "file"))
    var hgrm: String?

    @Option(
        help: ArgumentHelp(
            "Draw latency by percentile and throughput over time as SVG. Example: --plot near.svg.",
            valueName: "file"))
    var plot: String?

    var assertions: [LoadAssertion] { assert.flatMap { $0 } }
}

extension BenchReportOptions {
    /// Refuses assertions about figures that the test will not have.
    func validate(_ load: BenchShapeOptions, isRaw: Bool) throws {
        for assertion in assertions {
            if assertion.metric == .rate, load.rate == nil {
                throw ValidationError("\"\(assertion)\" needs --rate: a closed loop means no rate.")
            }
            if assertion.metric == .bare, !isRaw {
                throw ValidationError("\"\(assertion)\" needs --raw: it is a part of the bare bus.")
            }
        }
    }
}
