// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import WebServer

/// Options for the figures of a load test: assertions, repetitions, files.
struct BenchReportOptions: ParsableArguments {
    @Option(
        .assertions,
        "Limits, with commas; exit with 1 if one is violated. "
            + "\(LoadMetric.allCases.map(\.rawValue).joined(separator: ", ")) "
            + "with < <= = >= >; counts also in % of those sent; p99[2] is of the second part of --profile. Example: "
            + "--assert 'p99<5ms,errors=0,rate>=0.95'.")
    var assert: [[LoadAssertion]] = []

    @Option(
        .assertions,
        "End the test with 1 once one of these is true of the last seconds. Example: --abort-if 'errors>1%,p99>1s'.")
    var abortIf: [[LoadAssertion]] = []

    @Option(.time, "The whole seconds over which --abort-if looks back. Example: --abort-window 10s. (default: 5s)")
    var abortWindow: Duration?

    @Option(.text("file"), "Write a line for each run as CSV. Example: --csv runs.csv.")
    var csv: String?

    @Option(
        .text("file"), "Write latencies in HdrHistogram's text form, a file for each case. Example: --hgrm near.hgrm.")
    var hgrm: String?

    @Option(.text("file"), "Draw latency by percentile and throughput over time as SVG. Example: --plot near.svg.")
    var plot: String?

    @Option(
        .text("file"), name: .customLong("report"),
        "Write figures, charts, the machine and the verdicts as one HTML page. Example: --report near.html.")
    var page: String?

    @Option(
        .text("file"), "Write the verdict on each assertion as JUnit XML, for a CI server. Example: --junit near.xml.")
    var junit: String?

    @Option(
        ValueForm<ListenAddress>(word: "host:port", read: Values.webAddress),
        "While the test runs, serve its figures to Prometheus at this address. Example: --metrics 127.0.0.1:9464.")
    var metrics: ListenAddress?

    @Flag(help: "Also measure plain libzmq (writes: SQLite), in turns, and print the ratio. Example: --raw --repeat 5.")
    var raw = false

    var assertions: [LoadAssertion] { assert.flatMap { $0 } }

    /// The limits that end a run early; nil if there are none.
    var abortRule: AbortRule? { abortIf.isEmpty ? nil : AbortRule(abortIf.flatMap { $0 }, seconds: Int(abortSeconds)) }
    private var abortSeconds: Double { abortWindow.map { $0 / .seconds(1) } ?? Double(AbortRule.usual) }

    /// Refuses assertions about figures that the test will not measure.
    ///
    /// - Parameters:
    ///   - seesArrivals: whether the test counts messages where they arrive.
    ///   - isBareLimited: whether the bare run sends at a given rate even in a closed loop.
    func validate(_ load: BenchShapeOptions, seesArrivals: Bool = false, isBareLimited: Bool = false) throws {
        try refuse(
            if: load.ramp && assertions.isEmpty,
            "--ramp needs a limit to search for: give --assert, such as 'p99<5ms'.")
        try refuse(
            if: load.ramp && abortRule != nil, "--ramp overloads the other end on purpose: leave --abort-if out.")
        try refuse(if: abortWindow != nil && abortRule == nil, "--abort-window is for --abort-if: give that too.")
        try refuse(
            if: abortSeconds.rounded() != abortSeconds || abortSeconds > Double(AbortRule.longest),
            "--abort-window is whole seconds up to \(AbortRule.longest)s, such as 5s.")
        for rule in abortRule?.assertions ?? [] {
            try refuse(
                if: !AbortRule.knows(rule),
                "\"\(rule)\" is not known while the test runs: --abort-if takes latencies, throughput and errors of the "
                    + "whole load.")
        }
        // Check as much as possible before the test, so that an hour-long run does not fail at its end.
        for path in [csv, hgrm, plot, page, junit].compactMap({ $0 }) { try BenchFiles.check(path) }
        for assertion in assertions {
            if let part = assertion.part {
                try refuse(
                    if: part > load.profile?.parts.count ?? 0,
                    "\"\(assertion)\" is about a part that --profile does not have.")
                try refuse(
                    if: assertion.metric.isOfArrivals || assertion.metric == .bare,
                    "\"\(assertion)\" is not known of a part: assert it of the whole, without [\(part)].")
            }
            try refuse(
                if: assertion.metric.isOfArrivals && !seesArrivals,
                "\"\(assertion)\" needs counts of arrivals: only tail, bus push and bus pub have them (with an "
                    + "endpoint: give --receive too). For requests assert errors.")
            try refuse(
                if: assertion.metric == .rate && !load.isOpen && !load.ramp,
                "\"\(assertion)\" needs --rate or --profile: a closed loop has no intended rate.")
            try refuse(
                if: assertion.metric == .bare && !raw, "\"\(assertion)\" needs --raw: it is relative to the bare bus.")
            try refuse(
                if: assertion.metric == .bare && (load.isOpen || load.ramp || isBareLimited),
                "\"\(assertion)\" has no meaning here: the bare run has the same rate, so that its latency can be "
                    + "compared. Compare throughput in a closed loop of requests, or one way.")
        }
    }

    /// The assertions that must hold at each rate of a search for the highest rate. If the person gave no assertion
    /// about the rate, one is added: at least 95 % of the intended rate must be reached.
    var rampAssertions: [LoadAssertion] {
        let hasRate = assertions.contains { $0.metric == .rate }
        return assertions + (hasRate ? [] : (try? LoadAssertion.list("rate>=0.95")) ?? [])
    }
}
