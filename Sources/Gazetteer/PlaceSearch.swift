// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// A single search of a gazetteer by a text.
struct PlaceSearch {
    /// The score that a match by an alternate name loses. So a town that has the text as its own name comes first,
    /// unless it is 20 times smaller.
    private static let alternate = 1.3
    /// The score of a place at the centre of the focus. It weighs as much as 10,000 times the population.
    private static let nearness = 4.0
    private static let mostWords = 12
    private static let mostTowns = 8

    /// The number of surplus places that are collected before the worst are dropped.
    private static let slack = 256

    private let file: GazetteerFile
    private let focus: PlaceFocus?
    private let limit: Int
    /// The places of the classes finished so far, best first.
    private var found: [(row: Int, likeness: PlaceMatch.Likeness)] = []
    private var seen: Set<Int> = []
    /// The scores of the places in the present class. A place with a score below `floor` cannot belong to the answer.
    private var pool: [Int: Double] = [:]
    private var floor = -Double.infinity

    init(_ file: GazetteerFile, focus: Coordinate?, limit: Int) {
        (self.file, self.focus, self.limit) = (file, focus.map(PlaceFocus.init(centre:)), limit)
    }

    /// Returns the places that a text may mean, best first.
    mutating func run(_ text: String, _ words: NarrowingWords) -> [PlaceMatch] {
        let parts = text.split(separator: ",").map { PlaceKey.words(String($0)) }.filter { !$0.isEmpty }
        guard limit > 0, let name = parts.first, parts.reduce(0, { $0 + $1.count }) <= Self.mostWords else { return [] }
        let after = parts.dropFirst().flatMap { $0 }
        let hasComma = parts.count > 1
        let divisions = (1...name.count).reversed().compactMap { length -> (key: [UInt8], PlaceNarrowing)? in
            let narrowing = words.narrowing(name.dropFirst(length) + after, isUnfinished: !after.isEmpty) { key in
                hasComma && length == name.count ? towns(key) : []
            }
            return narrowing.map { (Array(name.prefix(length).joined(separator: " ").utf8), $0) }
        }
        for (key, narrowing) in divisions {
            if let index = file.keys.index(of: key) { collect(index..<index + 1, narrowing) }
        }
        end(.exact)
        if found.count < limit {
            // If words that narrow follow without a comma, the name before them must be complete. Only in other cases
            // may the name be just a beginning.
            for (key, narrowing) in divisions where narrowing.choices.isEmpty || hasComma {
                collect(file.keys.range(prefix: key), narrowing)
            }
            end(.prefix)
        }
        if found.count < limit {
            for (key, narrowing) in divisions {
                OneEdit.texts(key) { other in
                    if let index = file.keys.index(of: other) { collect(index..<index + 1, narrowing) }
                }
            }
            end(.typo)
        }
        return found.prefix(limit).compactMap { row, likeness in
            file.place(row).map { PlaceMatch(place: $0, likeness: likeness) }
        }
    }

    private mutating func collect(_ keys: Range<Int>, _ narrowing: PlaceNarrowing) {
        file.keys.forEachEntry(of: keys) { row, isOwn in
            let score = weight(row) - (isOwn ? 0 : Self.alternate)
            guard score > floor, narrowing.admits(row, of: file), !seen.contains(row) else { return }
            pool[row] = max(pool[row] ?? score, score)
            if pool.count >= limit + Self.slack { drop() }
        }
    }

    /// Keeps only the best places of the pool.
    private mutating func drop() {
        let best = ordered().prefix(limit)
        floor = best.last?.value ?? floor
        pool = Dictionary(uniqueKeysWithValues: best.map { ($0.key, $0.value) })
    }

    private func ordered() -> [(key: Int, value: Double)] {
        pool.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
    }

    private mutating func end(_ likeness: PlaceMatch.Likeness) {
        for (row, _) in ordered().prefix(limit) {
            found.append((row, likeness))
            seen.insert(row)
        }
        (pool, floor) = ([:], -.infinity)
    }

    private func weight(_ row: Int) -> Double {
        let people = PopulationCode.weight(file.populationCode(row))
        return people
            + (focus.map { Self.nearness * $0.nearness(latitude: file.latitude(row)) { file.coordinate(row) } } ?? 0)
    }

    /// Returns the positions of the largest towns with a key.
    private func towns(_ key: String) -> [Coordinate] {
        guard let index = file.keys.index(of: Array(key.utf8)) else { return [] }
        var rows: [Int] = []
        file.keys.forEachEntry(of: index..<index + 1) { row, _ in rows.append(row) }
        return rows.sorted { file.populationCode($0) > file.populationCode($1) }
            .prefix(Self.mostTowns).compactMap(file.coordinate)
    }
}
