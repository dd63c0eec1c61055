// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Figures that the documentation states. Not part of the product.
@main
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-measure", abstract: "Measures what the documentation states.",
        subcommands: [TableCommand.self, LatencyCommand.self, CityCommand.self])
}
