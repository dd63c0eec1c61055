// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkProtocol

struct KindsCommand: LocalCommand {
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

    func run(_ output: Output, _ surroundings: Surroundings) throws {
        let first = Preferences(environment: surroundings.environment).kinds
        let found = KindSearch.kinds(text.joined(separator: " "))
        let kinds = found.filter { first.contains($0.name) } + found.filter { !first.contains($0.name) }
        guard !kinds.isEmpty else {
            throw Failure(
                ErrorCode.notFound.name, "No kind of the table has such a word: \"waymark kinds\" prints all of them.")
        }
        let columns: [TextTable.Column] = [.init(title: "KIND", style: .bold), .init(title: "ALSO", isFlexible: true)]
        try output.list(kinds, columns, object: { $0.fields($1) }) { [$0.name, $0.synonyms.joined(separator: ", ")] }
    }
}
