// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import WaymarkLoad
import WaymarkProtocol

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

    var parameters: [String: String] {
        ["limit": "\(limit)", "radius_m": radius.map { "\($0)" }].compactMapValues { $0 }
    }

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
