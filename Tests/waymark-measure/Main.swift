// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Measures the figures in the documentation. Not part of the product.
@main
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-measure", abstract: "Measures what the documentation states.",
        subcommands: [
            TableCommand.self, LatencyCommand.self, CityCommand.self, TilesCommand.self, TracksCommand.self,
            PlacesCommand.self, RelayCommand.self, EnginesCommand.self, ListenerCommand.self, StreamsCommand.self,
            FencesCommand.self, HooksCommand.self,
        ])
}
