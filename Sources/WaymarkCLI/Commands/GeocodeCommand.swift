// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Gazetteer
import WaymarkClient

struct GeocodeCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        leaf: "geocode",
        abstract: "Print the positions that a name may mean.",
        discussion: """
            Landmarks with these words come first, then towns of the world: exact names, then names that begin with \
            the text, then names with one typing mistake. A region or a country narrows the search, with or without \
            commas. The towns need no service and no network.

              waymark geocode "Patiala, Punjab"
              waymark geocode springfield il --limit 3 -o json
              waymark geocode melbourne --near 28.1,-80.6

            Exit code 8: nothing is found. Exit code 3: no town is found, and the landmarks could not be searched.
            """)

    @Argument(help: ArgumentHelp("The name, perhaps with region and country.", valueName: "text"))
    var words: [String]

    @Option(.location, "Places near this position come first: \(Location.forms).")
    var near: Location?

    @Option(.count(upTo: Gazetteer.mostMatches), "The most places to print, up to 100. (default: 10)")
    var limit: Int = 10

    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func run(_ output: Output, _ surroundings: Surroundings) async throws {
        let text = words.map(PositionArguments.plain).joined(separator: " ")
        let here = try near?.coordinate(output)
        let towns = try surroundings.gazetteer().find(text, limit: limit, focus: here)
        var landmarks: [Landmark] = []
        var unreachable: ClientError?
        do {
            landmarks = try await landmarksNamed(text, near: here, surroundings, output)
        } catch let error as ClientError {
            // A search refuses some texts, for example a text without any letter. No landmark has such a name, so the
            // refusal counts as an empty result.
            if error.refusal?.code != .invalid { unreachable = error }
        }
        // However many landmarks mention a town, they must leave room for the town itself.
        landmarks = Array(landmarks.prefix(max(limit - towns.count, (limit + 1) / 2)))
        let shown = towns.prefix(limit - landmarks.count)
        if landmarks.isEmpty, shown.isEmpty {
            if let unreachable { throw unreachable }
            throw PlaceWords.notFound(text)
        }
        try print(landmarks, shown, output)
        if let unreachable {
            output.notice("landmarks_not_searched", "Landmarks were not searched: \(unreachable)")
        }
        if !shown.isEmpty { output.attributePlaces() }
    }

    private func landmarksNamed(
        _ text: String, near: Coordinate?, _ surroundings: Surroundings, _ output: Output
    ) async throws -> [Landmark] {
        let (page, isBehind) = try await connection.client(surroundings).withClient { client in
            try await client.freshSearch(text, near: near, limit: limit, timeout: connection.answerTimeout)
        }
        if isBehind { output.tellSearchIsBehind() }
        return page.hits.map(\.landmark)
    }

    private func print(_ landmarks: [Landmark], _ towns: ArraySlice<PlaceMatch>, _ output: Output) throws {
        guard output.format == .text else {
            for landmark in landmarks { try output.object { $0.candidate(landmark) } }
            for town in towns { try output.object { $0.fields(town) } }
            return
        }
        var rows = landmarks.map { [Figures.position($0.coordinate), $0.name, "landmark \(output.id($0.id))"] }
        for town in towns.map(\.place) {
            let position =
                "\(Figures.fixed(town.coordinate.latitude, 4)),\(Figures.fixed(town.coordinate.longitude, 4))"
            rows.append([position, town.label, town.population > 0 ? "town of \(people(town.population))" : "town"])
        }
        let columns: [TextTable.Column] = [
            .init(title: "POSITION"), .init(title: "NAME", style: .bold, isFlexible: true), .init(title: "WHAT"),
        ]
        try output.table(TextTable(columns, rows: rows))
    }

    /// Formats a population with about three digits, because populations are not known more precisely.
    private func people(_ population: Int) -> String {
        var unit = 1
        while population / unit >= 1_000 { unit *= 10 }
        return Figures.count(UInt64(max((population + unit / 2) / unit * unit, 0)))
    }
}
