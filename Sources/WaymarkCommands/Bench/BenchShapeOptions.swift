// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest

extension Arrival: ExpressibleByArgument {}

/// How load is offered.
struct BenchShapeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connections, each of its own. Example: --clients 8. (default: 1)", valueName: "count"),
        transform: Values.count)
    var clients: Int = 1

    @Option(
        help: ArgumentHelp(
            "Closed loop: so many operations of each connection are under way. Example: --window 128. (default: 1; "
                + "one way: 1000)", valueName: "count"),
        transform: Values.count)
    var window: Int?

    @Option(
        help: ArgumentHelp(
            "Open loop: so many operations a second are meant, from all connections together, whatever the answers do. "
                + "Example: --rate 20k. (default: a closed loop)", valueName: "rate"),
        transform: Values.rate)
    var rate: Double?

    @Option(
        help: """
            Open loop: at even intervals, or at random as independent users come. Example: --rate 20k --arrival \
            poisson.
            """)
    var arrival = Arrival.constant

    @Option(
        help: ArgumentHelp("How long is measured. Example: --duration 30s. (default: 10s)", valueName: "time"),
        transform: Values.duration)
    var duration: Duration?

    @Option(
        help: ArgumentHelp(
            "Measure so many operations, instead of a time. Example: --count 100k.", valueName: "count"),
        transform: Values.quantity)
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Load that comes first and is not counted. Example: --warmup 5s. (default: 1s)", valueName: "time"),
        transform: Values.seconds)
    var warmup: Double = 1

    @Option(
        help: ArgumentHelp(
            "What random choices are made from: the same seed, the same choices. Example: --seed 7.",
            valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Do it all so many times; bench compare needs at least 4. Example: --repeat 5. (default: 1)",
            valueName: "count"),
        transform: Values.count)
    var repeats: Int = 1

    @Flag(
        help: """
            Look for the highest rate that keeps what --assert says, beginning with --rate or 1000 a second; at least \
            95 % of the rate have to be done. Example: --ramp --assert 'p99<5ms' --duration 5s.
            """)
    var ramp = false

    /// Operations, of all clients together.
    private static let mostUnderWay = 1_000_000

    /// Operations a second.
    static let firstRate = 1_000.0

    func validate() throws {
        if ramp, window != nil { throw ValidationError("--ramp is an open loop and has no --window: leave that out.") }
        if ramp, repeats > 1 { throw ValidationError("--ramp and --repeat: give one of them.") }
        if rate != nil, window != nil {
            throw ValidationError("--rate is an open loop and has no --window: give one of them.")
        }
        if rate == nil, !ramp, arrival == .poisson {
            throw ValidationError("--arrival poisson needs --rate: a closed loop is sent by its answers.")
        }
        if duration != nil, count != nil {
            throw ValidationError("--duration and --count both say when it ends: give one of them.")
        }
        if clients > 4_096 { throw ValidationError("--clients goes up to 4096.") }
        // First by itself, so that the product is a number.
        if (window ?? 1) > Self.mostUnderWay || (window ?? 1) * clients > Self.mostUnderWay {
            throw ValidationError("--clients times --window goes up to \(Self.mostUnderWay).")
        }
        if repeats > 1_000 { throw ValidationError("--repeat goes up to 1000.") }
    }

    /// - Parameter defaultWindow: of a closed loop whose window nobody gave.
    func shape(defaultWindow: Int = 1) -> LoadShape {
        LoadShape(
            loop: rate.map { .open(rate: $0, arrival: arrival) } ?? .closed(window: window ?? defaultWindow),
            clients: clients,
            end: count.map { .count($0) } ?? .duration(seconds: (duration ?? .seconds(10)) / .seconds(1)),
            warmUp: warmup, seed: seed)
    }
}
