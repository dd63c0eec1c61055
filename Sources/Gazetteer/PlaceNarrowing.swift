// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// The conditions given by words after a place's name: a region, a country, or a town nearby.
struct PlaceNarrowing {
    struct Choice {
        var countries: Set<Int> = []
        var regions: Set<Int> = []
        /// The positions of towns that the place may be a part of.
        var towns: [Coordinate] = []

        var isEmpty: Bool { countries.isEmpty && regions.isEmpty && towns.isEmpty }
    }

    /// The maximum distance between a town and its parts, in metres.
    static let reach = 40_000.0

    /// The choices, all of which a place must fulfil.
    var choices: [Choice] = []

    func admits(_ row: Int, of file: GazetteerFile) -> Bool {
        choices.allSatisfy { choice in
            if choice.countries.contains(file.country(row)) || choice.regions.contains(file.region(row)) {
                return true
            }
            guard !choice.towns.isEmpty, let place = file.coordinate(row) else { return false }
            return choice.towns.contains { town in
                abs(town.latitude - place.latitude) < 0.4
                    && Geodesic.distance(from: town, to: place) <= Self.reach
            }
        }
    }
}

/// The names, codes and initials of countries and regions, by their key.
struct NarrowingWords: Sendable {
    private var countries: [String: Set<Int>] = [:]
    private var regions: [String: Set<Int>] = [:]
    /// The keys of both tables, sorted, to find the word that a person has begun to type.
    private var ordered: [String] = []
    /// The maximum number of words of a country or region. "The democratic republic of the congo" has six.
    private static let mostWords = 7

    init(_ tables: GazetteerTables) {
        for (index, country) in tables.countries.enumerated() {
            for word in [country.code, country.name] + country.others {
                countries[PlaceKey.of(word), default: []].insert(index)
            }
        }
        for (index, region) in tables.regions.enumerated() {
            let words = PlaceKey.words(region.name)
            let isCode = region.code.utf8.allSatisfy { !(0x30...0x39).contains($0) }
            for word in [words.joined(separator: " ")] + region.others.map(PlaceKey.of)
                + (isCode ? [PlaceKey.of(region.code)] : [])
            {
                regions[word, default: []].insert(index)
            }
            // The initials are a word too, such as NSW for "New South Wales".
            if words.count > 1 { regions[String(words.compactMap(\.first)), default: []].insert(index) }
        }
        ordered = Set(countries.keys).union(regions.keys).sorted()
    }

    /// Reads words as a sequence of countries, regions and towns, trying the longest names first; nil if it cannot.
    ///
    /// - Parameters:
    ///   - isUnfinished: whether the last word may be only the beginning of a word.
    ///   - towns: returns the positions of the towns with a key.
    func narrowing(_ words: ArraySlice<String>, isUnfinished: Bool, towns: (String) -> [Coordinate])
        -> PlaceNarrowing?
    {
        guard !words.isEmpty else { return PlaceNarrowing() }
        for length in stride(from: min(words.count, Self.mostWords), to: 0, by: -1) {
            let key = words.prefix(length).joined(separator: " ")
            var choice = PlaceNarrowing.Choice(
                countries: countries[key] ?? [], regions: regions[key] ?? [])
            if choice.isEmpty, isUnfinished, length == words.count { choice = begun(key) }
            if choice.isEmpty { choice.towns = towns(key) }
            guard !choice.isEmpty,
                var rest = narrowing(words.dropFirst(length), isUnfinished: isUnfinished, towns: towns)
            else { continue }
            rest.choices.append(choice)
            return rest
        }
        return nil
    }

    /// Returns the countries and regions that have a word with this beginning.
    private func begun(_ key: String) -> PlaceNarrowing.Choice {
        var choice = PlaceNarrowing.Choice()
        guard key.utf8.count > 1 else { return choice }
        let first = ordered.indices.partition { ordered[$0] < key }
        for word in ordered[first...].prefix(while: { $0.hasPrefix(key) }) {
            choice.countries.formUnion(countries[word] ?? [])
            choice.regions.formUnion(regions[word] ?? [])
        }
        return choice
    }
}
