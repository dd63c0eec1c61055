// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Gazetteer
import Geodesy
import Landmarks
import WaymarkJSON

struct WhereCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        leaf: "where",
        abstract: "Print where a position is: the nearest town, and the coordinates in both forms.",
        discussion: """
            Names the town with its region and country, never a street. Needs no service and no network.

              waymark where -33.8568,151.2153
              gps | waymark where --follow-position

            Exit code 8: no town is within 500 km.
            """)

    @Argument(help: ArgumentHelp("The position: \(Location.forms), in one word or several.", valueName: "lat,lon"))
    var words: [String] = []

    @Flag(help: "Read positions from stdin (\(PositionLines.help)), and print where each one is.")
    var followPosition = false

    @OptionGroup var printing: OutputOptions

    func validate() throws {
        try refuse(if: words.isEmpty && !followPosition, "Give a position, or --follow-position.")
        if !words.isEmpty { try checked { _ = try Location(words: words) } }
    }

    func run(_ output: Output, _ surroundings: Surroundings) throws {
        let gazetteer = try surroundings.gazetteer()
        if !words.isEmpty {
            let position = try Location(words: words).coordinate(output)
            guard try Self.print(position, gazetteer, output) || followPosition else {
                throw Failure(
                    .placeNotFound, "place_not_found", "No town that the gazetteer knows is within 500 km.")
            }
        }
        output.attributePlaces()
        guard followPosition else { return }
        try surroundings.readFixes(output) { try Self.print($0.place, gazetteer, output) }
    }

    /// - Returns: whether a town is near.
    @discardableResult
    private static func print(_ position: Coordinate, _ gazetteer: Gazetteer, _ output: Output) throws -> Bool {
        let surroundings = gazetteer.surroundings(of: position)
        let sentence = surroundings?.sentence ?? "more than 500 km from any town"
        try output.result(
            output.painter.paint(Escaping.visible(sentence), .bold) + "\n"
                + "\(Figures.position(position))  \(PositionText.degreesMinutesSeconds(position))"
        ) { $0.fields(surroundings, of: position) }
        return surroundings != nil
    }
}
