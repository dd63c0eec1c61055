// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Figures of the change feed that the documentation states. Not part of the product.
@main
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-measure", abstract: "Measures the change feed.",
        subcommands: [LatencyCommand.self, CityCommand.self])
}
