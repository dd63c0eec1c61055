// SPDX-License-Identifier: Apache-2.0

/// The countries, regions and time zones that a gazetteer's places refer to by number.
struct GazetteerTables: Sendable {
    struct Country: Sendable, Hashable {
        var code: String
        var name: String
        /// Other words for it: its code of three letters, and names in other languages.
        var others: [String] = []
    }

    struct Region: Sendable, Hashable {
        var country: Int
        /// GeoNames's own code within the country: `NY`, but `02` for New South Wales.
        var code: String
        var name: String
        /// What people write for it: `NSW`.
        var others: [String] = []
    }

    static let none = 0xffff

    var countries: [Country] = []
    var regions: [Region] = []
    var zones: [String] = []

    /// One line for each: countries, regions and zones, in this order.
    func text() -> String {
        let lines =
            countries.map { ([$0.code, $0.name] + $0.others).joined(separator: "\t") }
            + regions.map { (["\($0.country)", $0.code, $0.name] + $0.others).joined(separator: "\t") } + zones
        return lines.joined(separator: "\n")
    }

    init() {}

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
            countries.append(Country(code: line[0], name: line[1], others: Array(line.dropFirst(2))))
        }
        for line in lines[countryCount...].prefix(regionCount) {
            guard line.count >= 3, let country = Int(line[0]), countries.indices.contains(country) else {
                throw .damaged
            }
            regions.append(
                Region(country: country, code: line[1], name: line[2], others: Array(line.dropFirst(3))))
        }
        zones = lines.suffix(zoneCount).map { $0[0] }
    }
}
