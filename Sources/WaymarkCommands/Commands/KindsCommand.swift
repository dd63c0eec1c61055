// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkJSON
import WaymarkProtocol

struct KindsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinds",
        abstract: "Print the kinds that most people look for, or find one by a word.",
        discussion: """
            A text finds the kinds with words that begin so, among their labels and synonyms, then those that do but for \
            one typing mistake. The kinds of your preferences come first. Any other word is allowed as a kind, too.

              waymark kinds caf
              waymark kinds petrol
            """)

    @Argument(help: ArgumentHelp("The beginning of a word.", valueName: "text"))
    var text: [String] = []

    @OptionGroup var printing: OutputOptions

    func run() async throws {
        let output = Surroundings.current.output(printing.output, printing.color)
        let first = Preferences(environment: Surroundings.current.environment).kinds
        let found = KindSearch.kinds(text.joined(separator: " "))
        let kinds = found.filter { first.contains($0.name) } + found.filter { !first.contains($0.name) }
        switch output.format {
        case .json:
            for kind in kinds { try output.object { $0.fields(kind) } }
        case .text where !kinds.isEmpty:
            var table = TextTable([.init(title: "KIND", style: .bold), .init(title: "ALSO", isFlexible: true)])
            for kind in kinds { table.add([kind.name, kind.synonyms.joined(separator: ", ")]) }
            try output.lines(table.lines(output.painter, width: output.width))
        case .text: break
        }
        guard kinds.isEmpty else { return }
        throw Failure(
            .failed, ErrorCode.notFound.name,
            "No kind of the table has such a word: \"waymark kinds\" prints all of them.")
    }
}
