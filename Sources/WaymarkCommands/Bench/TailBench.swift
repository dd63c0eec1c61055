// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import LoadTest
import WaymarkLoad

struct TailBench: ServiceBench {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Write, and time how soon each subscriber hears of it. The landmarks are real and they stay.",
        discussion: """
            Each write adds a landmark with a name of its own, as bench write does, and each subscriber follows all \
            changes. Latency is from the intended time of the write to its receipt, of all subscribers together. Lost is \
            what was acknowledged and did not come to a subscriber; repeats came twice; reorders came after a later \
            revision. The acknowledgements have a line of their own.

              waymark bench tail --subscribers 256 --rate 1k --duration 30s
              waymark bench tail --assert 'p99<20ms,loss=0,repeats=0,reorders=0'
            """)
    static let mode = "tail"

    @Option(
        help: ArgumentHelp("So many hear of each change. Example: --subscribers 256. (default: 1)", valueName: "count"),
        transform: Values.count)
    var subscribers: Int = 1

    @Option(
        help: ArgumentHelp(
            "Put the landmarks around this position. Example: --around -33.8568,151.2153. (default: in cities all over "
                + "the world)", valueName: "lat,lon"),
        transform: Values.position)
    var around: Coordinate?

    @OptionGroup(title: "Load") var load: BenchShapeOptions
    @OptionGroup(title: "Figures") var report: BenchReportOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions
    @OptionGroup var printing: OutputOptions

    func validate() throws {
        if subscribers > 4_096 { throw ValidationError("--subscribers goes up to 4096.") }
        try report.validate(load, seesArrivals: true, isBareLimited: true)
    }

    var parameters: [String: String] {
        Self.parameters(around: around).merging(["subscribers": "\(subscribers)"]) { own, _ in own }
    }

    func cases(_ service: BenchService) -> [BenchCase] {
        let test = TailTest(
            endpoint: service.endpoint, changes: service.welcome.changesEndpoint, user: service.user,
            subscribers: subscribers, around: around, timeout: service.timeout)
        let label = subscribers == 1 ? "1 subscriber" : "\(subscribers) subscribers"
        var one = BenchCase(label: label, shape: load.shape(), run: test.run)
        if report.raw {
            one.bare = .init(name: "bare bus") { [subscribers] shape, watch, result in
                let size = result.figures.done > 0 ? Int(result.figures.bytes / result.figures.done) : 200
                return try await BusStreamTest(.pub, size: max(BusStreamTest.leastBytes, size), receivers: subscribers)
                    .runBare(Self.bareShape(shape, beside: result), watch)
            }
        }
        return [one]
    }

    /// At the rate that was just acknowledged: a flood of the bare bus would say how fast it is, not what a change takes
    /// over it.
    static func bareShape(_ shape: LoadShape, beside result: LoadResult) -> LoadShape {
        let acknowledged = result.parts.first?.figures.throughput ?? 0
        var (shape, arrival) = (shape, Arrival.constant)
        if case .open(_, let own) = shape.loop { arrival = own }
        // One a second at least, so that it ends also when nothing was acknowledged.
        shape.loop = .open(rate: max(1, acknowledged), arrival: arrival)
        return shape
    }
}
