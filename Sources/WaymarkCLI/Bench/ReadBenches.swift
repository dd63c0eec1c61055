// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import WaymarkLoad
import WaymarkProtocol

struct NearBench: RequestBench, DividedBench {
    static let configuration = CommandConfiguration(
        commandName: "near",
        abstract: "Ask what is near, repeatedly.",
        discussion: """
            The positions are clustered like cities, or lie around one place; the same --seed gives the same positions.

              waymark bench near --window 128 --duration 30s
              waymark bench near --rate 5k --arrival poisson --assert 'p99<5ms,rate>=0.95'
              waymark bench near --around -33.8568,151.2153 --radius 5km --limit 10
            """)

    @Option(.count(upTo: WaymarkProtocol.pageRows), "The most hits of each answer. Example: --limit 100. (default: 20)")
    var limit: Int = 20

    @Option(.distance, "The greatest distance: metres, or with m, km or mi. Example: --radius 5km. (default: no limit)")
    var radius: Double?

    @Option(.location, .around)
    var around: Location?

    @Flag(help: "Check each whole answer, which costs more than sending the request. Example: --check.")
    var check = false

    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    var parameters: [String: String?] { ["limit": "\(limit)", "radius_m": radius.map { "\($0)" }] }

    static let mixed = ["limit", "radius", "around"]
    var label: String { "nearest \(limit)" }
    var summary: String {
        "near(limit: \(limit), radius: \(String(reflecting: radius)), around: \(String(reflecting: around)))"
    }

    func operation(at place: Coordinate?, mark: String?, seed: UInt64, isChecked: Bool) -> any LoadOperation {
        ReadOperation.near(limit: limit, radius: radius, around: place, seed: seed, isChecked: isChecked)
    }
}

struct SearchBench: RequestBench, DividedBench {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search for words, repeatedly.",
        discussion: """
              waymark bench search --window 16
              waymark bench search --text opera --text "bondi pool" --rate 500 --assert 'p99<20ms'
            """)

    @Option(
        .text("words"),
        "The text to search for; repeat it for several. Example: --text opera. (default: words of generated landmarks)")
    var text: [String] = []

    @Option(.count(upTo: WaymarkProtocol.pageRows), "The most hits of each answer. Example: --limit 100. (default: 20)")
    var limit: Int = 20

    @Flag(help: "Count the hits of each answer, which costs more than sending the request. Example: --check.")
    var check = false

    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    func validate() throws {
        try refuse(
            if: text.contains { $0.isEmpty || $0.count > WaymarkProtocol.searchCharacters },
            "--text has 1 to \(WaymarkProtocol.searchCharacters) characters.")
        try report.validate(load)
    }

    var parameters: [String: String?] { ["limit": "\(limit)", "text": text.joined(separator: " | ")] }

    static let mixed = ["text", "limit"]
    var label: String { "best \(limit)" }
    var summary: String { "search(texts: \(text), limit: \(limit))" }

    func operation(at place: Coordinate?, mark: String?, seed: UInt64, isChecked: Bool) -> any LoadOperation {
        ReadOperation.search(texts: text, limit: limit, seed: seed, isChecked: isChecked)
    }
}
