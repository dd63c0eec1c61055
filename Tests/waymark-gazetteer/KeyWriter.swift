// SPDX-License-Identifier: Apache-2.0

import Gazetteer

/// Makes the part of a gazetteer file that ``PlaceKeys`` reads.
struct KeyWriter {
    private(set) var keys = 0
    private(set) var entries = 0
    private(set) var head: [UInt8] = []
    private(set) var text: [UInt8] = []
    private(set) var names: [UInt8] = []

    init(_ rows: [GazetteerBuilder.PlaceRow], leastForAlternates: Int) {
        var places: [String: [(place: Int, isOwn: Bool)]] = [:]
        for (place, row) in rows.enumerated() {
            let own = PlaceKey.of(row.name)
            places[own, default: []].append((place, true))
            for other in Self.others(row, own: own, withAlternates: row.population >= leastForAlternates) {
                places[other, default: []].append((place, false))
            }
        }
        // Keys are sorted by bytes, because PlaceKeys compares bytes.
        let ordered = places.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        var (shared, own, counts): ([UInt8], [UInt8], [Int]) = ([], [], [])
        var (rowsOfEntries, forms): ([Int], [UInt8]) = ([], [])
        var before: [UInt8] = []
        for (key, entries) in ordered {
            let bytes = Array(key.utf8)
            let same = zip(before, bytes).prefix { $0 == $1 }.count
            shared.append(UInt8(same))
            own.append(UInt8(bytes.count - same))
            text += bytes[same...]
            before = bytes
            // The format allows 65,535 places for a key. The most frequent name in the data has a thousandth of that.
            let entries = entries.prefix(0xffff)
            counts.append(entries.count)
            let capitalised = PlaceKey.capitalised(bytes)
            var last = ""
            let named = entries.map { ($0.place, $0.isOwn ? rows[$0.place].name : "") }.sorted { $0.1 < $1.1 }
            for (place, name) in named {
                rowsOfEntries.append(place)
                let form = Self.form(name, capitalised, last)
                forms.append(form.rawValue)
                if form == .written {
                    names += name.utf8.filter { $0 != 0 } + [0]
                    last = name
                }
            }
        }
        (keys, entries) = (ordered.count, rowsOfEntries.count)
        head = shared + own + counts.columns(width: 2)
        head += rowsOfEntries.columns(width: 3) + forms
    }

    private static func form(_ name: String, _ capitalised: String, _ last: String) -> PlaceKeys.Form {
        if name.isEmpty { return .alternate }
        // Names are compared scalar by scalar. As strings they may be equal although their scalars differ, because a
        // capital with an accent can be one scalar or two.
        if name.unicodeScalars.elementsEqual(capitalised.unicodeScalars) { return .capitalised }
        return name.unicodeScalars.elementsEqual(last.unicodeScalars) ? .again : .written
    }

    /// Returns the other keys under which a place is found.
    private static func others(_ row: GazetteerBuilder.PlaceRow, own: String, withAlternates: Bool) -> Set<String> {
        var keys: Set<String> = [PlaceKey.of(row.name.unicodeScalars.map { umlauts[$0] ?? String($0) }.joined())]
        if withAlternates {
            for name in row.alternates {
                // Names that GeoNames has transliterated by machine have no capital, and nobody searches for them.
                // Other names may begin with a small letter, but contain a capital: 's-Gravenhage, den Haag.
                guard name.unicodeScalars.contains(where: \.properties.isUppercase) else { continue }
                let key = PlaceKey.of(name)
                // An airport's code or a single letter would take precedence over towns of that name.
                guard key.utf8.count > 3 || !name.unicodeScalars.allSatisfy(\.properties.isUppercase) else { continue }
                guard key.utf8.count > 1, key.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
                keys.insert(key)
            }
        }
        keys.remove(own)
        keys.remove("")
        return keys
    }

    /// How people write umlauts without the dots: `Goeppingen` for `Göppingen`.
    private static let umlauts: [Unicode.Scalar: String] = [
        "ä": "ae", "Ä": "ae", "ö": "oe", "Ö": "oe", "ü": "ue", "Ü": "ue",
    ]
}
