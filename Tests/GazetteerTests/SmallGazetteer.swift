// SPDX-License-Identifier: Apache-2.0

import Gazetteer

@testable import waymark_gazetteer

/// A dozen places, enough for the rules.
enum SmallGazetteer {
    static func bytes() throws -> [UInt8] {
        var builder = GazetteerBuilder()
        for (code, iso3, name) in [
            ("AU", "AUS", "Australia"), ("IN", "IND", "India"), ("US", "USA", "United States"),
            ("PL", "POL", "Poland"), ("FJ", "FJI", "Fiji"), ("DE", "DEU", "Germany"), ("PK", "PAK", "Pakistan"),
            ("NL", "NLD", "The Netherlands"),
        ] { builder.addCountry(code: code, iso3: iso3, name: name) }
        for (code, name) in [
            ("AU.02", "New South Wales"), ("AU.07", "Victoria"), ("IN.23", "Punjab"), ("PK.04", "Punjab"),
            ("US.IL", "Illinois"), ("US.MO", "Missouri"), ("US.FL", "Florida"), ("PL.72", "Lower Silesia"),
        ] { builder.addRegion(code: code, name: name) }
        for row in rows { builder.add(row) }
        return try builder.build()
    }

    static func make() throws -> Gazetteer { try Gazetteer(bytes: try bytes()) }

    private static let rows: [GazetteerBuilder.PlaceRow] = [
        place("Sydney", -33.86785, 151.20732, "AU", "02", 5_638_830, "Australia/Sydney", ["Sidney", "SYD", "sidani"]),
        place("Milsons Point", -33.846, 151.21192, "AU", "02", 2_170, "Australia/Sydney"),
        place("Melbourne", -37.814, 144.96332, "AU", "07", 4_917_750, "Australia/Melbourne"),
        place("Melbourne", 28.08363, -80.60811, "US", "FL", 80_127, "America/New_York"),
        place("Patiāla", 30.33625, 76.3922, "IN", "23", 446_246, "Asia/Kolkata"),
        place("Patiāla", 31, 74, "PK", "04", 900, "Asia/Karachi"),
        place("Springfield", 39.80172, -89.64371, "US", "IL", 116_565, "America/Chicago"),
        place("Springfield", 37.21533, -93.29824, "US", "MO", 166_810, "America/Chicago"),
        place("Wrocław", 51.10286, 17.03006, "PL", "72", 672_545, "Europe/Warsaw", ["Breslau", "ブレスラウ"]),
        place("Göppingen", 48.70354, 9.65209, "DE", "", 57_868, ""),
        place("Saint Augustin", 50.77538, 7.197, "DE", "", 56_094, "Europe/Berlin"),
        place("The Hague", 52.07667, 4.29861, "NL", "", 474_292, "", ["den Haag", "‘t Haantje", "haaga"]),
        place("Lovonivonu", -16.805, 179.995, "FJ", "", 700, "Pacific/Fiji"),
        place("Nowhere", 1, 1, "XX", "", 1_000_000, ""),
    ]

    private static func place(
        _ name: String, _ latitude: Double, _ longitude: Double, _ country: String, _ region: String, _ population: Int,
        _ zone: String, _ alternates: [String] = []
    ) -> GazetteerBuilder.PlaceRow {
        .init(
            name: name, alternates: alternates, latitude: latitude, longitude: longitude, country: country,
            region: region, population: population, zone: zone)
    }
}
