// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkProtocol

struct KindsCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        leaf: "kinds",
        abstract: "Print the kinds that most people look for, or find them by a word.",
        discussion: """
            A text finds the kinds whose label or synonyms have a word that begins with it, then those with one typing \
            mistake. The kinds of your preferences come first. A landmark's kind may be any other word, too.

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
                ErrorCode.notFound.name, "No kind has a word that begins so: \"waymark kinds\" prints all kinds.")
        }
        let columns: [TextTable.Column] = [.init(title: "KIND", style: .bold), .init(title: "ALSO", isFlexible: true)]
        try output.list(kinds, columns, object: { $0.fields($1) }) { [$0.name, $0.synonyms.joined(separator: ", ")] }
    }
}
