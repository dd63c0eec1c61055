// SPDX-License-Identifier: Apache-2.0

/// Makes a gazetteer file from GeoNames's data.
public struct GazetteerBuilder {
    /// A place as GeoNames's data gives it.
    public struct PlaceRow: Sendable {
        public var name: String
        public var alternates: [String]
        /// The latitude and longitude in degrees.
        public var latitude: Double
        public var longitude: Double
        public var country: String
        /// GeoNames's code of the region; empty if there is none.
        public var region: String
        public var population: Int
        public var zone: String

        public init(
            name: String, alternates: [String] = [], latitude: Double, longitude: Double, country: String,
            region: String = "", population: Int, zone: String = ""
        ) {
            (self.name, self.alternates, self.latitude, self.longitude) = (name, alternates, latitude, longitude)
            (self.country, self.region, self.population, self.zone) = (country, region, population, zone)
        }
    }

    private var tables = GazetteerTables()
    private var countries: [String: Int] = [:]
    private var regions: [String: Int] = [:]
    private var zones: [String: Int] = [:]
    private var rows: [PlaceRow] = []
    private let leastForAlternates: Int

    /// - Parameter leastForAlternates: the minimum population of places that keep their other names. Smaller places
    ///   keep only their own name.
    public init(leastForAlternates: Int = 15_000) { self.leastForAlternates = leastForAlternates }

    public var places: Int { rows.count }

    public mutating func addCountry(code: String, iso3: String, name: String) {
        guard code.utf8.count == 2, countries[code] == nil else { return }
        countries[code] = tables.countries.count
        tables.countries.append(
            .init(
                code: code, name: Self.plain(name),
                others: [iso3].filter { !$0.isEmpty } + (RegionWords.countries[code] ?? [])))
    }

    /// - Parameter code: the region's code with that of its country, such as `AU.02`.
    public mutating func addRegion(code: String, name: String) {
        let parts = code.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let country = countries[parts[0]], regions[code] == nil else { return }
        let key = PlaceKey.of(name)
        regions[code] = tables.regions.count
        tables.regions.append(
            .init(
                country: country, code: parts[1], name: Self.plain(name),
                others: RegionWords.regions[parts[0]]?[key] ?? []))
    }

    /// Adds a place. A place without a known country, a name or a position is left out.
    public mutating func add(_ row: PlaceRow) {
        guard countries[row.country] != nil, !PlaceKey.of(row.name).isEmpty, row.latitude.isFinite,
            row.longitude.isFinite
        else { return }
        rows.append(row)
    }

    /// Returns the bytes of the file.
    public mutating func build() throws(GazetteerError) -> [UInt8] {
        let placed = rows.map { (PlaceGrid.latitude($0.latitude), PlaceGrid.longitude($0.longitude), $0) }
            .sorted { (PlaceGrid.order($0.0, $0.1), $0.2.name) < (PlaceGrid.order($1.0, $1.1), $1.2.name) }
        let ordered = placed.map(\.2)
        for row in ordered where !row.zone.isEmpty && zones[row.zone] == nil {
            zones[row.zone] = tables.zones.count
            tables.zones.append(Self.plain(row.zone))
        }
        guard tables.countries.count <= 256 else { throw .tooMany("countries") }
        guard tables.regions.count < GazetteerTables.none else { throw .tooMany("regions") }
        guard tables.zones.count < GazetteerTables.none else { throw .tooMany("time zones") }
        guard ordered.count < 1 << 24 else { throw .tooMany("places") }
        let none = GazetteerTables.none
        let columns: [(values: [Int], width: Int)] = [
            (placed.map(\.0), 3), (placed.map(\.1), 3), (ordered.map { countries[$0.country] ?? 0 }, 1),
            (ordered.map { regions["\($0.country).\($0.region)"] ?? none }, 2),
            (ordered.map { zones[$0.zone] ?? none }, 2), (ordered.map { PopulationCode.code($0.population) }, 2),
        ]
        let keys = KeyWriter(ordered, leastForAlternates: leastForAlternates)
        let text = Array(tables.text().utf8)
        let header = [
            tables.countries.count, tables.regions.count, tables.zones.count, text.count, ordered.count, keys.keys,
            keys.entries, keys.text.count, keys.names.count,
        ]
        var bytes = header.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        bytes += text
        for column in columns { bytes += ByteColumns.bytes(column.values, width: column.width) }
        bytes += keys.head + keys.text + keys.names
        return try GazetteerPacking.packed(bytes)
    }

    /// Returns the text without control characters, because these separate the columns of the tables.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }))
    }
}
