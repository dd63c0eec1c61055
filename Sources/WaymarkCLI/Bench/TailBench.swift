// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ServiceHost
import WaymarkLoad

struct TailBench: WritingBench {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Write, and measure the time until each subscriber has the change.",
        discussion: """
            Each write adds a landmark, as bench write does, and each subscriber follows all changes. Latency runs \
            from the intended time of the write to its receipt, over all subscribers. The acknowledgements have their \
            own line. \(BenchMark.explanation)

              waymark bench tail --subscribers 256 --rate 1k --duration 30s
              waymark bench tail --assert 'p99<20ms,loss=0,repeats=0,reorders=0'
            """)

    @Option(.count(upTo: 4_096), "The number of subscribers. Example: --subscribers 256. (default: 1)")
    var subscribers: Int = 1

    @Option(.location, .around)
    var around: Location?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    func validate() throws { try report.validate(load, seesArrivals: true, isBareLimited: true) }
    var parameters: [String: String?] { ["subscribers": "\(subscribers)"] }

    func cases(_ service: BenchService) -> [BenchCase] {
        let label = subscribers == 1 ? "1 subscriber" : "\(subscribers) subscribers"
        var one = BenchCase(label: label, shape: load.shape(), run: service.tail(subscribers).run)
        if report.raw {
            one.bare = .init(name: "bare bus") { [subscribers] shape, watch, result in
                let size = result.figures.done > 0 ? Int(result.figures.bytes / result.figures.done) : 200
                return try await BusStreamTest(.pub, size: max(BusStreamTest.leastBytes, size), receivers: subscribers)
                    .runBare(Self.bareShape(shape, beside: result), watch)
            }
        }
        return [one]
    }

    /// Returns the load for the bare bus: the rate of acknowledged writes that was just measured. At full speed the bus
    /// would show its own throughput instead of the latency of a change.
    static func bareShape(_ shape: LoadShape, beside result: LoadResult) -> LoadShape {
        let acknowledged = result.parts.first?.figures.throughput ?? 0
        var (shape, arrival) = (shape, Arrival.constant)
        if case .open(_, let own) = shape.loop { arrival = own }
        // Send at least one message per second, so that the test ends even if no write was acknowledged.
        shape.loop = .open(.rate(max(1, acknowledged)), arrival: arrival)
        return shape
    }
}
