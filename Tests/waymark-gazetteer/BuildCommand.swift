// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Make a gazetteer's file from GeoNames's public files.",
        discussion: """
            Reads cities500.txt (or cities15000.txt, …), admin1CodesASCII.txt and countryInfo.txt of \
            https://download.geonames.org/export/dump/, each of them also packed by gzip. The places may also be a table \
            of tab-separated columns with a header (name, lat, lng, country, admin1, population, timezone, \
            alternate_names divided by "|"), the regions and the countries lists of JSON objects (code, name, iso3).
            """)

    @Option(help: "The places.") var cities: String
    @Option(help: "The regions.") var regions: String
    @Option(help: "The countries.") var countries: String
    @Option(help: "Smaller places keep their own name only.") var alternatesFrom = 15_000
    @Option(help: "The file to write.") var output: String

    func run() throws {
        var builder = GazetteerBuilder(leastForAlternates: alternatesFrom)
        for row in try Facts.countries(countries) { builder.addCountry(code: row.0, iso3: row.1, name: row.2) }
        for row in try Facts.regions(regions) { builder.addRegion(code: row.0, name: row.1) }
        let rows = try Facts.places(cities)
        for row in rows { builder.add(row) }
        let bytes = try builder.build()
        try Data(bytes).write(to: URL(fileURLWithPath: output), options: .atomic)
        print("\(builder.places) of \(rows.count) places, \(bytes.count) bytes: \(output)")
    }
}

/// A line of the source files has an unknown form.
private struct BadLine: Error, CustomStringConvertible {
    let number: Int

    var description: String { "line \(number) is not a line of a GeoNames file: download the file again." }
}

/// Reads the source files in both forms.
enum Facts {
    private struct Named: Decodable {
        let code: String
        let name: String
        let iso3: String?
    }

    static func countries(_ path: String) throws -> [(String, String, String)] {
        if let rows = try json(path) { return rows.map { ($0.code, $0.iso3 ?? "", $0.name) } }
        return try TextFile.table(path).filter { $0.count > 4 && $0[0].utf8.count == 2 }.map { ($0[0], $0[1], $0[4]) }
    }

    static func regions(_ path: String) throws -> [(String, String)] {
        if let rows = try json(path) { return rows.map { ($0.code, $0.name) } }
        return try TextFile.table(path).filter { $0.count > 1 }.map { ($0[0], $0[1]) }
    }

    static func places(_ path: String) throws -> [GazetteerBuilder.PlaceRow] {
        let lines = try TextFile.table(path)
        if let header = lines.first, let columns = Columns(header) {
            return try rows(lines.dropFirst(), columns, alternates: "|")
        }
        return try rows(lines[...], .geoNames, alternates: ",")
    }

    private static func json(_ path: String) throws -> [Named]? {
        let bytes = try TextFile.bytes(path)
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        return try JSONDecoder().decode([Named].self, from: Data(bytes))
    }

    private static func rows(_ lines: ArraySlice<[String]>, _ columns: Columns, alternates: Character) throws
        -> [GazetteerBuilder.PlaceRow]
    {
        try lines.enumerated().map { number, cells in
            guard cells.count > columns.last, let latitude = Double(cells[columns.latitude]),
                let longitude = Double(cells[columns.longitude])
            else { throw BadLine(number: number + 1) }
            return GazetteerBuilder.PlaceRow(
                name: cells[columns.name],
                alternates: cells[columns.alternates].split(separator: alternates).map(String.init),
                latitude: latitude, longitude: longitude, country: cells[columns.country],
                region: cells[columns.region], population: Int(cells[columns.population]) ?? 0,
                zone: cells[columns.zone])
        }
    }

    /// Where a file has what.
    fileprivate struct Columns {
        var name, alternates, latitude, longitude, country, region, population, zone: Int

        var last: Int { [name, alternates, latitude, longitude, country, region, population, zone].max() ?? 0 }

        /// The 19 columns of GeoNames's own files, which have no header.
        static let geoNames = Columns(
            name: 1, alternates: 3, latitude: 4, longitude: 5, country: 8, region: 10, population: 14, zone: 17)
    }
}

extension Facts.Columns {
    fileprivate init?(_ header: [String]) {
        let wanted = ["name", "alternate_names", "lat", "lng", "country", "admin1", "population", "timezone"]
        let places = wanted.compactMap { header.firstIndex(of: $0) }
        guard places.count == wanted.count else { return nil }
        self.init(
            name: places[0], alternates: places[1], latitude: places[2], longitude: places[3], country: places[4],
            region: places[5], population: places[6], zone: places[7])
    }
}
