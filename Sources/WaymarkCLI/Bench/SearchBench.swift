// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import WaymarkLoad
import WaymarkProtocol

struct SearchBench: RequestBench {
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

    var parameters: [String: String] { ["limit": "\(limit)", "text": text.joined(separator: " | ")] }

    static let mixed = ["text", "limit"]
    var label: String { "best \(limit)" }
    var summary: String { "search(texts: \(text), limit: \(limit))" }

    func operation(at place: Coordinate?, mark: String?, seed: UInt64, isChecked: Bool) -> any LoadOperation {
        ReadOperation.search(texts: text, limit: limit, seed: seed, isChecked: isChecked)
    }
}
