// SPDX-License-Identifier: Apache-2.0

/// The countries, regions and time zones that a gazetteer's places refer to by number.
package struct GazetteerTables: Sendable {
    /// A country, or a region of a country.
    struct Division {
        /// The code of the country, or GeoNames's code of the region in its country: `NY`, but `02` for New South
        /// Wales.
        var code: String
        var name: String
        /// Other words that people use for it: a country's code of three letters, `NSW`, names in other languages.
        var others: [String]
    }

    package static let none = 0xffff

    var countries: [Division] = []
    var regions: [Division] = []
    var zones: [String] = []

    /// - Parameter text: one line for each country, region and zone, in this order.
    init(text: String, countries countryCount: Int, regions regionCount: Int, zones zoneCount: Int)
        throws(GazetteerError)
    {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        guard countryCount > 0, countryCount <= 256, max(regionCount, zoneCount) < Self.none,
            lines.count == countryCount + regionCount + zoneCount
        else { throw .damaged }
        for line in lines.prefix(countryCount) {
            guard line.count >= 2, line[0].utf8.count == 2 else { throw .damaged }
            countries.append(Division(code: line[0], name: line[1], others: Array(line.dropFirst(2))))
        }
        for line in lines[countryCount...].prefix(regionCount) {
            guard line.count >= 3, let country = Int(line[0]), countries.indices.contains(country) else {
                throw .damaged
            }
            regions.append(Division(code: line[1], name: line[2], others: Array(line.dropFirst(3))))
        }
        zones = lines.suffix(zoneCount).map { $0[0] }
    }
}
