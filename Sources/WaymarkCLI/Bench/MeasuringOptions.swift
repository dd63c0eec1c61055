// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import WebServer

/// The options that all load tests of the services share.
struct MeasuringOptions: ParsableArguments {
    @OptionGroup(title: "Load") var load: BenchShapeOptions
    @OptionGroup(title: "Figures") var report: BenchReportOptions
    @OptionGroup var printing: OutputOptions
}

extension Arrival: ExpressibleByArgument {}

/// Options for the shape of the load.
struct BenchShapeOptions: ParsableArguments {
    @Option(.count(upTo: 4_096), "The number of connections. Example: --clients 8. (default: 1)")
    var clients: Int = 1

    @Option(
        .count(upTo: BenchShapeOptions.most),
        "Closed loop: operations in flight on each connection. Example: --window 128. (default: 1; one way: 1000)")
    var window: Int?

    @Option(
        .rate,
        "Open loop: intended operations a second, over all connections. Example: --rate 20k. (default: a closed loop)")
    var rate: Double?

    @Option(
        ValueForm<LoadProfile>(word: "list") { text in try BadValue.unless { try LoadProfile(text) } },
        "Open loop: steps and ramps of the rate, TIME@RATE or TIME@RATE..RATE with commas; each part has figures of "
            + "its own. Example: --profile '30s@1k, 2m@5k, 30s@1k..20k'.")
    var profile: LoadProfile?

    @Option(
        ValueForm<LoadRecording>(word: "file", completion: .file(), read: Values.recording),
        "Open loop: send at the times in a CSV file, as bench record writes it. Example: --replay monday.csv.")
    var replay: LoadRecording?

    @Option(help: "Open loop: even intervals, or those of independent users. Example: --rate 5k --arrival poisson.")
    var arrival = Arrival.constant

    @Option(.time, "How long to measure. Example: --duration 30s. (default: 10s)")
    var duration: Duration?

    @Option(.quantity, "Measure this many operations instead of a time. Example: --count 100k.")
    var count: Int?

    @Option(.seconds, "Time at the start that is not counted. Example: --warmup 5s. (default: 1s)")
    var warmup: Double = 1

    @Option(help: ArgumentHelp("The seed of all random choices. Example: --seed 7.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        .count(upTo: 1_000), name: .customLong("repeat"),
        "Repeat the whole test; bench compare needs at least 4 runs. Example: --repeat 5. (default: 1)")
    var repeats: Int = 1

    @Flag(
        help: "Find the highest rate that meets --assert, from --rate or 1000 on. Example: --ramp --assert 'p99<5ms'.")
    var ramp = false

    /// The maximum number of operations in flight, over all clients.
    private static let most = 1_000_000

    /// The first rate that a search for the highest rate tries, in operations per second.
    static let firstRate = 1_000.0

    func validate() throws {
        try refuse(if: isOpen && window != nil, "An open loop has no --window: leave it out.")
        try refuse(if: ramp && repeats > 1, "--ramp and --repeat exclude each other: give one of them.")
        try refuse(
            if: [rate != nil, profile != nil, replay != nil].count { $0 } > 1,
            "--rate, --profile and --replay exclude each other: give one of them.")
        try refuse(
            if: (profile != nil || replay != nil) && (duration != nil || count != nil || ramp),
            "--profile and --replay have their own rates and end: leave --duration, --count and --ramp out.")
        try refuse(
            if: arrival == .poisson && (replay != nil || !isOpen),
            "--arrival poisson needs --rate or --profile: the times of a recording and of a closed loop are given.")
        try refuse(if: duration != nil && count != nil, "--duration and --count both set the end: give one of them.")
        // Both are bounded, so the product cannot overflow.
        try refuse(if: (window ?? 1) * clients > Self.most, "--clients times --window is at most \(Self.most).")
    }

    /// Whether the clock sets the times at which operations are sent, at given rates or at those of a search.
    var isOpen: Bool { ramp || pace != nil }
    private var pace: Pace? { rate.map(Pace.rate) ?? profile.map(Pace.profile) ?? replay.map(Pace.recording) }

    /// - Parameter defaultWindow: the window of a closed loop if the person gave none.
    func shape(defaultWindow: Int = 1) -> LoadShape {
        let seconds = pace?.seconds ?? (duration ?? .seconds(10)) / .seconds(1)
        return LoadShape(
            loop: pace.map { .open($0, arrival: arrival) } ?? .closed(window: window ?? defaultWindow),
            clients: clients,
            end: count.map { .count($0) } ?? .duration(seconds: seconds), warmUp: warmup, seed: seed)
    }
}

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
                if: assertion.metric == .rate && !load.isOpen,
                "\"\(assertion)\" needs --rate or --profile: a closed loop has no intended rate.")
            try refuse(
                if: assertion.metric == .bare && !raw, "\"\(assertion)\" needs --raw: it is relative to the bare bus.")
            try refuse(
                if: assertion.metric == .bare && (load.isOpen || isBareLimited),
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
