// SPDX-License-Identifier: Apache-2.0

import Gazetteer

/// Makes a gazetteer file from GeoNames's data.
struct GazetteerBuilder {
    /// A place as GeoNames's data gives it.
    struct PlaceRow: Sendable {
        var name: String
        var alternates: [String]
        /// The latitude and longitude in degrees.
        var latitude: Double
        var longitude: Double
        var country: String
        /// GeoNames's code of the region; empty if there is none.
        var region: String
        var population: Int
        var zone: String
    }

    /// The lines of the file's tables.
    private var lines: (countries: [String], regions: [String], zones: [String]) = ([], [], [])
    /// The numbers of the lines, by the code of the country or region, or by the name of the zone.
    private var countries: [String: Int] = [:]
    private var regions: [String: Int] = [:]
    private var zones: [String: Int] = [:]
    private var rows: [PlaceRow] = []
    private let leastForAlternates: Int

    /// - Parameter leastForAlternates: the minimum population of places that keep their other names. Smaller places
    ///   keep only their own name.
    init(leastForAlternates: Int = 15_000) { self.leastForAlternates = leastForAlternates }

    var places: Int { rows.count }

    mutating func addCountry(code: String, iso3: String, name: String) {
        guard code.utf8.count == 2, countries[code] == nil else { return }
        countries[code] = lines.countries.count
        let others = [iso3].filter { !$0.isEmpty } + (RegionWords.countries[code] ?? [])
        lines.countries.append(([code, Self.plain(name)] + others).joined(separator: "\t"))
    }

    /// - Parameter code: the region's code with that of its country, such as `AU.02`.
    mutating func addRegion(code: String, name: String) {
        let parts = code.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let country = countries[parts[0]], regions[code] == nil else { return }
        let others = RegionWords.regions[parts[0]]?[PlaceKey.of(name)] ?? []
        regions[code] = lines.regions.count
        lines.regions.append((["\(country)", parts[1], Self.plain(name)] + others).joined(separator: "\t"))
    }

    /// Adds a place. A place without a known country, a name or a position is left out.
    mutating func add(_ row: PlaceRow) {
        guard countries[row.country] != nil, !PlaceKey.of(row.name).isEmpty, row.latitude.isFinite,
            row.longitude.isFinite
        else { return }
        rows.append(row)
    }

    /// Returns the bytes of the file.
    mutating func build() throws(Complaint) -> [UInt8] {
        let placed = rows.map { (PlaceGrid.latitude($0.latitude), PlaceGrid.longitude($0.longitude), $0) }
            .sorted { (PlaceGrid.order($0.0, $0.1), $0.2.name) < (PlaceGrid.order($1.0, $1.1), $1.2.name) }
        let ordered = placed.map(\.2)
        for row in ordered where !row.zone.isEmpty && zones[row.zone] == nil {
            zones[row.zone] = lines.zones.count
            lines.zones.append(Self.plain(row.zone))
        }
        guard lines.countries.count <= 256 else { throw Complaint.tooMany("countries") }
        guard lines.regions.count < GazetteerTables.none else { throw Complaint.tooMany("regions") }
        guard lines.zones.count < GazetteerTables.none else { throw Complaint.tooMany("time zones") }
        guard ordered.count < 1 << 24 else { throw Complaint.tooMany("places") }
        let none = GazetteerTables.none
        let columns: [(values: [Int], width: Int)] = [
            (placed.map(\.0), 3), (placed.map(\.1), 3), (ordered.map { countries[$0.country] ?? 0 }, 1),
            (ordered.map { regions["\($0.country).\($0.region)"] ?? none }, 2),
            (ordered.map { zones[$0.zone] ?? none }, 2), (ordered.map { PopulationCode.code($0.population) }, 2),
        ]
        let keys = KeyWriter(ordered, leastForAlternates: leastForAlternates)
        let text = Array((lines.countries + lines.regions + lines.zones).joined(separator: "\n").utf8)
        let header = [
            lines.countries.count, lines.regions.count, lines.zones.count, text.count, ordered.count, keys.keys,
            keys.entries, keys.text.count, keys.names.count,
        ]
        var bytes = header.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        bytes += text
        for column in columns { bytes += column.values.columns(width: column.width) }
        bytes += keys.head + keys.text + keys.names
        return try GazetteerPacking.packed(bytes)
    }

    /// Returns the text without control characters, because these separate the columns of the tables.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }))
    }
}

extension [Int] {
    /// Returns the numbers, which are below 256^width, as columns of bytes, the highest bytes first.
    func columns(width: Int) -> [UInt8] {
        (0..<width).reversed().flatMap { byte in map { UInt8(truncatingIfNeeded: $0 >> (8 * byte)) } }
    }
}
