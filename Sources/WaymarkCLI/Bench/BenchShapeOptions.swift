// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest

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
        try refuse(if: (isOpen || ramp) && window != nil, "An open loop has no --window: leave it out.")
        try refuse(if: ramp && repeats > 1, "--ramp and --repeat exclude each other: give one of them.")
        try refuse(
            if: [rate != nil, profile != nil, replay != nil].count { $0 } > 1,
            "--rate, --profile and --replay exclude each other: give one of them.")
        try refuse(
            if: (profile != nil || replay != nil) && (duration != nil || count != nil || ramp),
            "--profile and --replay have their own rates and end: leave --duration, --count and --ramp out.")
        try refuse(
            if: arrival == .poisson && (replay != nil || !isOpen && !ramp),
            "--arrival poisson needs --rate or --profile: the times of a recording and of a closed loop are given.")
        try refuse(if: duration != nil && count != nil, "--duration and --count both set the end: give one of them.")
        // Both are bounded, so the product cannot overflow.
        try refuse(if: (window ?? 1) * clients > Self.most, "--clients times --window is at most \(Self.most).")
    }

    /// Whether the options set the times at which operations are sent.
    var isOpen: Bool { pace != nil }
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
