// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A command that needs no service, or makes its own connection.
protocol LocalCommand: AsyncParsableCommand {
    associatedtype Printing: PrintingOptions

    var printing: Printing { get }

    func run(_ output: Output, _ surroundings: Surroundings) async throws
}

extension LocalCommand {
    func run() async throws {
        let surroundings = Surroundings.current
        if surroundings.ownsProcess { Signals.endTheProcess() }
        try await run(surroundings.output(printing.format, printing.color), surroundings)
    }
}
