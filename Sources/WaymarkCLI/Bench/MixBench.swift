// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct MixBench: WritingBench {
    static let configuration = CommandConfiguration(
        commandName: "mix",
        abstract: "Mix several operations, chosen by their weights in a YAML file.",
        discussion: """
            The file is a list of near, search, write and ingest. Each has a weight (default 1) and its options:

              - operation: near
                weight: 90
                radius: 5km
              - operation: search
                text: [opera, bondi pool]

              waymark bench mix daily.yaml --rate 2k --arrival poisson --assert 'p99<20ms,errors=0'

            The report has one line for the total and one for each operation. With write or ingest in the file: \
            \(BenchMark.explanation)
            """)

    @Argument(ValueForm<MixFile>(word: "file", read: { try MixFile(path: $0) }), "The YAML file.")
    var file: MixFile

    @Flag(help: "Check the full answers to near and search. Example: --check.")
    var check = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    var parameters: [String: String] { ["operations": file.summary] }
    var isWriting: Bool { file.isWriting }

    func cases(_ service: BenchService) throws -> [BenchCase] {
        let positions = try file.positions(Surroundings.current.output(printing.format, printing.color))
        return [
            requests("mix", service) { [file, seed = load.seed, check, mark = service.mark?.name] in
                file.operations(seed: seed, isChecked: check, at: positions, mark: mark)
            }
        ]
    }
}
