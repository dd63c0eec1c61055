// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import LoadTest
import ServiceHost
import WaymarkLoad
import WaymarkProtocol

struct HTTPBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http",
        abstract: "Measure the HTTP interface of the services.",
        discussion: """
            The connections are HTTP/1.1 in the clear. For https, and for services other than Waymark's, there are k6 \
            and oha.

              waymark bench http near --clients 64
              waymark bench http tail http://127.0.0.1:7480 --streams 1000 --rate 100
            """,
        subcommands: [HTTPNearBench.self, HTTPTailBench.self])
}

/// The HTTP interface to test, and the key for it.
struct BenchWebOptions: ParsableArguments {
    @Argument(
        ValueForm<HTTPOrigin>(word: "url", read: Values.origin),
        "The address of the HTTP interface. (default: http://\(HTTPOrigin.usual))")
    var url: HTTPOrigin?

    @Option(.file, "A file with a key that \"waymark keys new FILE --http\" has made. Example: --token report.token.")
    var token: String?

    func validate() throws {
        try refuse(
            if: token != nil && !(url ?? .usual).isLoopback,
            "A key must not cross a network in the clear: measure on the machine of the service.")
    }

    /// Reads the key, too.
    func origin() throws -> HTTPOrigin {
        var origin = url ?? .usual
        if let token {
            let text = String(decoding: try SecretFile.read(token).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            guard WebToken.digest(text) != nil else { throw KeyFileError.malformed(path: token) }
            origin.bearer = text
        }
        return origin
    }
}

protocol WebBench: ServiceBench { var web: BenchWebOptions { get } }

extension WebBench {
    func validateWeb() throws {
        try refuse(if: report.raw, "--raw measures plain libzmq, and this test has none: leave it out.")
        try refuse(
            if: target.embedded && (web.url != nil || web.token != nil),
            "--embedded starts its own services: leave the address and --token out.")
    }
}

struct HTTPNearBench: WebBench {
    static let configuration = CommandConfiguration(
        commandName: "near",
        abstract: "Ask GET /v1/near, repeatedly.",
        discussion: """
            The positions are those of bench near. Each connection stays open and has one request under way: with \
            --rate there are --clients connections, in a closed loop one for each place in the window.

              waymark bench http near --clients 64 --duration 30s
              waymark bench http near --clients 64 --rate 5k --assert 'p99<10ms,errors=0'
            """)

    private static let most = 4_096

    @OptionGroup(title: "HTTP interface") var web: BenchWebOptions

    @Option(.count(upTo: WaymarkProtocol.pageRows), "The most hits of each answer. Example: --limit 100. (default: 20)")
    var limit: Int = 20

    @Option(.distance, "The greatest distance: metres, or with m, km or mi. Example: --radius 5km. (default: no limit)")
    var radius: Double?

    @Option(.location, .around)
    var around: Location?

    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    func validate() throws {
        // The options of the load bound the product, which cannot overflow.
        try refuse(
            if: (load.window ?? 1) * load.clients > Self.most,
            "--clients times --window is at most \(Self.most): each is a connection.")
        try validateWeb()
        try report.validate(load)
    }

    var parameters: [String: String?] { ["limit": "\(limit)", "radius_m": radius.map { "\($0)" }] }

    func cases(_ service: BenchService) -> [BenchCase] {
        let origin = service.web ?? .usual
        let requests = WebNear(origin, limit: limit, radius: radius, around: service.around, seed: load.seed)
        let test = HTTPTest(origin, timeout: service.timeout) { requests.append($0, to: &$1) }
        return [
            BenchCase(label: "nearest \(limit)", shape: load.shape()) { shape, watch in
                try await test.meet(watch.stop)
                return try await test.run(shape, watch)
            }
        ]
    }
}

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

    var isWriting: Bool { load.isOpen }
    var parameters: [String: String?] { ["streams": "\(streams)"] }

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
