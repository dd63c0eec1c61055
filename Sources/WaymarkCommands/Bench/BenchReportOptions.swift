// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import LoadTest
import Settings

/// What becomes of a load test's figures.
struct BenchReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What must hold, with commas: else it ends with 1. \(LoadMetric.allCases.map(\.rawValue).joined(separator: ", ")) "
                + "with < <= = >= >. Example: --assert 'p99<5ms,errors=0,rate>=0.95'.", valueName: "list"),
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

    @Flag(
        help: """
            Measure the same traffic over plain libzmq too (writes: plain SQLite), in turns with the other, and say \
            what part of it was reached. Example: --raw --repeat 5.
            """)
    var raw = false

    var assertions: [LoadAssertion] { assert.flatMap { $0 } }
}

extension BenchReportOptions {
    /// Refuses assertions about figures that the test will not have.
    ///
    /// - Parameters:
    ///   - seesArrivals: whether messages are counted where they arrive.
    ///   - isBareLimited: whether the bare run has a given rate also beside a closed loop.
    func validate(
        _ load: BenchShapeOptions, seesArrivals: Bool = false, isBareLimited: Bool = false
    ) throws {
        if load.ramp, assertions.isEmpty {
            throw ValidationError("--ramp needs to know what has to hold: give --assert, such as 'p99<5ms'.")
        }
        for path in [csv, hgrm, plot] {
            if let path, !Self.canWrite(path) {
                throw ValidationError("\(path) cannot be written: see that its folder is there and is yours.")
            }
        }
        for assertion in assertions {
            if assertion.metric.isOfArrivals, !seesArrivals {
                throw ValidationError(
                    "\"\(assertion)\" needs a view of what arrives, which tail has, and bus push and bus pub (with an "
                        + "endpoint: give --receive too); of requests assert errors.")
            }
            if assertion.metric == .rate, load.rate == nil, !load.ramp {
                throw ValidationError("\"\(assertion)\" needs --rate: a closed loop means no rate.")
            }
            if assertion.metric == .bare, !raw {
                throw ValidationError("\"\(assertion)\" needs --raw: it is a part of the bare bus.")
            }
            if assertion.metric == .bare, load.rate != nil || load.ramp || isBareLimited {
                throw ValidationError(
                    "\"\(assertion)\" says nothing here: the bare run has the same rate, so that its latency can be "
                        + "compared. Its throughput is compared in a closed loop of requests or one way.")
            }
        }
    }

    /// As far as can be told before: it would be a pity to find out at the end of an hour.
    private static func canWrite(_ path: String) -> Bool {
        access(PathText.folder(of: path), W_OK) == 0
    }

    /// What has to hold at each rate of a search for the limit. That a rate is kept goes without saying.
    var rampAssertions: [LoadAssertion] {
        guard !assertions.contains(where: { $0.metric == .rate }),
            let isKept = try? LoadAssertion("rate>=0.95")
        else { return assertions }
        return assertions + [isKept]
    }
}
