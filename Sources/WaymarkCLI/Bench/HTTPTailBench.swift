// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ServiceHost
import WaymarkLoad

struct HTTPTailBench: WritingBench, WebBench {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Follow /v1/changes with many streams, and measure when each has a change.",
        discussion: """
            With --rate the test also writes, as bench tail does, through the bus of the same service (--connect). \
            \(BenchMark.explanation)

            Without --rate it only counts what others write: latency then runs from the receipt by the first stream.

              waymark bench http tail --streams 1000 --rate 100 --duration 30s
              waymark bench http tail --streams 1000 --assert 'loss=0,repeats=0,reorders=0'
            """)

    private static let otherDescriptors = 100

    @OptionGroup(title: "HTTP interface") var web: BenchWebOptions

    @Option(.count(upTo: 10_000), "The number of streams. Example: --streams 1000. (default: 1)")
    var streams: Int = 1

    @Option(.location, .around)
    var around: Location?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    func validate() throws {
        try refuse(
            if: !isWriting && (load.count != nil || load.window != nil || load.clients > 1),
            "Without --rate the test writes nothing: leave --count, --window and --clients out.")
        try validateWeb()
        try report.validate(load, seesArrivals: true, isBareLimited: true)
    }

    var isWriting: Bool { load.isOpen || load.ramp }

    var parameters: [String: String] { ["streams": "\(streams)"] }

    func cases(_ service: BenchService) throws -> [BenchCase] {
        guard OpenFiles.limit > streams + Self.otherDescriptors else {
            throw Failure.usage("This process may open \(OpenFiles.limit) files only: raise its limit (ulimit -n).")
        }
        var one = BenchCase(
            label: streams == 1 ? "1 stream" : "\(streams) streams", shape: load.shape(),
            run: FollowTest(service.web ?? .usual, streams: streams, timeout: service.timeout).run)
        if isWriting { one.run = service.tail(streams).run }
        return [one]
    }
}
