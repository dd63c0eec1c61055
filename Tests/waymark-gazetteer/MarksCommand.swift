// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Gazetteer
import Geodesy

struct MarksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marks",
        abstract: "Print how often the first hit is right, and how long searches take.",
        discussion: """
            Cases are files of geocoder-tester (https://github.com/geocoders/geocoder-tester): lines of cells divided by \
            ";" with the columns query and expected_coordinate, or lat, lon and expected_city. Without any, the cases are \
            made from the places' file that the gazetteer was made of.
            """)

    @Option(help: "The gazetteer. (default: the one inside the program)") var gazetteer: String?
    @Option(help: "The places' file.") var cities: String?
    @Flag(help: "Print what is not found.") var misses = false
    @Argument(help: "Files of cases.") var cases: [String] = []

    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let gazetteer = try gazetteer.map(Gazetteer.init(path:)) ?? Gazetteer.embedded()
        print("\(gazetteer.count) places, loaded in \(clock.now - start)")
        let marks = Marks(gazetteer: gazetteer, showsMisses: misses)
        for path in cases {
            let rows = try TextFile.table(path, separator: UInt8(ascii: ";"))
            try marks.run(path.split(separator: "/").suffix(3).joined(separator: "/"), rows)
        }
        guard let cities else { return }
        let places = try Facts.places(cities)
        marks.towns("US, 15,000 and more, \"name, region code\"", places) { place, _ in
            place.country == "US" && place.population >= 15_000 ? "\(place.name), \(place.region)" : nil
        }
        marks.towns("US, 100,000 and more, name", places) { place, _ in
            place.country == "US" && place.population >= 100_000 ? place.name : nil
        }
        marks.towns("Germany, 20,000 and more, name", places) { place, _ in
            place.country == "DE" && place.population >= 20_000 ? place.name : nil
        }
        marks.towns("Poland, 20,000 and more, name", places) { place, _ in
            place.country == "PL" && place.population >= 20_000 ? place.name : nil
        }
        marks.towns("each 97th place, lower case, name region country without commas", places) { place, index in
            guard index % 97 == 0,
                let region = gazetteer.find(place.name + "," + place.country, limit: 100)
                    .first(where: { $0.place.isAt(place) })?.place
            else { return nil }
            return [region.name, region.region, region.country].compactMap { $0 }.joined(separator: " ").lowercased()
        }
        marks.typeAhead(places.filter { $0.population > 100_000 }.map(\.name))
        marks.mistakes(places)
    }
}

extension Place {
    func isAt(_ row: GazetteerBuilder.PlaceRow) -> Bool {
        guard let there = try? Coordinate(latitude: row.latitude, longitude: row.longitude) else { return false }
        return Geodesic.distance(from: coordinate, to: there) < 10_000
    }
}
