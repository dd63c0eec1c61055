// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// A gazetteer, unpacked and validated. The article "The file" describes its bytes.
struct GazetteerFile: Sendable {
    static let headerWords = 9
    static let header = 4 * headerWords

    /// The header and the columns of numbers. The names are in ``keys``.
    private let bytes: [UInt8]
    let tables: GazetteerTables
    let places: Int
    let keys: PlaceKeys
    private let latitudes: ByteColumns
    private let longitudes: ByteColumns
    private let countries: ByteColumns
    private let regions: ByteColumns
    private let zones: ByteColumns
    private let populations: ByteColumns

    /// - Parameter bytes: the unpacked bytes, which are validated here.
    init(unpacked bytes: [UInt8]) throws(GazetteerError) {
        guard bytes.count >= Self.header, bytes.count <= GazetteerPacking.mostBytes else { throw .damaged }
        let words = (0..<Self.headerWords).map { word in
            (0..<4).reduce(0) { $0 | Int(bytes[4 * word + $1]) << (8 * $1) }
        }
        // No count may exceed the number of bytes, so that none of the sums below can overflow.
        guard words.allSatisfy({ $0 <= bytes.count }) else { throw .damaged }
        let tableEnd = Self.header + words[3]
        places = words[4]
        guard tableEnd <= bytes.count, places < 1 << 24 else { throw .damaged }
        latitudes = ByteColumns(start: tableEnd, count: places, width: 3)
        longitudes = ByteColumns(start: latitudes.end, count: places, width: 3)
        countries = ByteColumns(start: longitudes.end, count: places, width: 1)
        regions = ByteColumns(start: countries.end, count: places, width: 2)
        zones = ByteColumns(start: regions.end, count: places, width: 2)
        populations = ByteColumns(start: zones.end, count: places, width: 2)
        guard populations.end <= bytes.count else { throw .damaged }
        tables = try GazetteerTables(
            text: String(decoding: bytes[Self.header..<tableEnd], as: UTF8.self), countries: words[0],
            regions: words[1], zones: words[2])
        keys = try PlaceKeys(
            bytes, from: populations.end, keys: words[5], entries: words[6], text: words[7], names: words[8],
            places: places)
        self.bytes = Array(bytes[..<populations.end])
        try validatePlaces()
    }

    private func validatePlaces() throws(GazetteerError) {
        var last = -1
        for row in 0..<places {
            let region = regions.value(row, in: bytes)
            let zone = zones.value(row, in: bytes)
            guard order(row) >= last, countries.value(row, in: bytes) < tables.countries.count,
                region == GazetteerTables.none || region < tables.regions.count,
                zone == GazetteerTables.none || zone < tables.zones.count
            else { throw .damaged }
            last = order(row)
        }
    }

    func order(_ row: Int) -> Int {
        PlaceGrid.order(latitudes.value(row, in: bytes), longitudes.value(row, in: bytes))
    }

    /// Returns the places in one row of ``PlaceGrid`` between two steps of longitude.
    func range(inRow row: Int, _ longitudes: ClosedRange<Int>) -> Range<Int> {
        let base = row << 24
        let first = (0..<places).partition { order($0) < base | longitudes.lowerBound }
        return first..<(first..<places).partition { order($0) <= base | longitudes.upperBound }
    }

    func coordinate(_ row: Int) -> Coordinate? {
        PlaceGrid.coordinate(latitudes.value(row, in: bytes), longitudes.value(row, in: bytes))
    }

    /// Returns the latitude in degrees.
    func latitude(_ row: Int) -> Double { PlaceGrid.latitude(at: latitudes.value(row, in: bytes)) }

    func populationCode(_ row: Int) -> Int { populations.value(row, in: bytes) }

    func country(_ row: Int) -> Int { countries.value(row, in: bytes) }

    /// Returns the number of the place's region; ``GazetteerTables/none`` if it has none.
    func region(_ row: Int) -> Int { regions.value(row, in: bytes) }

    func zone(_ row: Int) -> String? {
        let zone = zones.value(row, in: bytes)
        return zone == GazetteerTables.none ? nil : tables.zones[zone]
    }

    func place(_ row: Int) -> Place? {
        guard (0..<places).contains(row), let coordinate = coordinate(row) else { return nil }
        let region = region(row)
        let country = tables.countries[country(row)]
        return Place(
            id: row, name: keys.name(of: row), coordinate: coordinate,
            population: PopulationCode.population(populationCode(row)),
            region: region == GazetteerTables.none ? nil : tables.regions[region].name, country: country.name,
            countryCode: country.code, zone: zone(row))
    }
}
