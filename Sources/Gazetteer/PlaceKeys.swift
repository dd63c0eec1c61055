// SPDX-License-Identifier: Apache-2.0

/// The keys of all names, sorted, each with the places that have the name.
package struct PlaceKeys: Sendable {
    /// How an entry's key relates to the place's own name.
    package enum Form: UInt8 {
        /// The key is another name of the place.
        case alternate = 0
        /// The place's own name is the key with capitals.
        case capitalised = 1
        /// The place's own name is the next name in the list of names.
        case written = 2
        /// The place's own name is the name of the nearest earlier entry whose case is ``written``.
        case again = 3
    }

    /// The bytes of all keys. Key k begins at `starts[k]`.
    private let text: [UInt8]
    private let starts: [UInt32]
    /// The indices of each key's first entry. The entries of key k begin at `firsts[k]`.
    private let firsts: [UInt32]
    /// The place of each entry. The highest bit is set if the key is the place's own name.
    private let entries: [UInt32]
    /// For each place, the index of its own name's key or, with the highest bit set, that of the name in `names`.
    private let owners: [UInt32]
    private let names: [UInt8]
    private let nameStarts: [UInt32]

    static let high: UInt32 = 1 << 31

    var count: Int { starts.count - 1 }

    init(
        _ bytes: [UInt8], from start: Int, keys: Int, entries entryCount: Int, text textCount: Int,
        names nameBytes: Int,
        places: Int
    ) throws(GazetteerError) {
        // Bytes of a key: the count shared with the key before, the count of others, the number of entries (2).
        let entryStart = start + 4 * keys
        // Bytes of an entry: its place (3), its form.
        let textStart = entryStart + 4 * entryCount
        let nameStart = textStart + textCount
        guard nameStart + nameBytes == bytes.count, keys <= entryCount else { throw .damaged }
        let counts = ByteColumns(start: start + 2 * keys, count: keys, width: 2)
        var text: [UInt8] = []
        var starts: [UInt32] = [0]
        var firsts: [UInt32] = [0]
        text.reserveCapacity(4 * textCount)
        starts.reserveCapacity(keys + 1)
        firsts.reserveCapacity(keys + 1)
        var next = textStart
        var first = 0
        var before = 0..<0
        for key in 0..<keys {
            let (shared, own) = (Int(bytes[start + key]), Int(bytes[start + keys + key]))
            let entries = counts.value(key, in: bytes)
            // The first byte that is not shared proves that the keys are sorted.
            guard own > 0, shared <= before.count, shared + own <= PlaceKey.longest, entries > 0,
                next + own <= nameStart, text.count <= GazetteerPacking.mostBytes,
                shared == before.count || text[before.lowerBound + shared] < bytes[next]
            else { throw .damaged }
            let begin = text.count
            // Bytes are appended one by one: appending a slice of the array itself would copy the whole array.
            for index in before.lowerBound..<before.lowerBound + shared { text.append(text[index]) }
            text.append(contentsOf: bytes[next..<next + own])
            before = begin..<text.count
            next += own
            first += entries
            starts.append(UInt32(text.count))
            firsts.append(UInt32(truncatingIfNeeded: first))
        }
        guard next == nameStart, first == entryCount else { throw .damaged }
        (self.text, self.starts, self.firsts) = (text, starts, firsts)

        names = Array(bytes[nameStart...])
        var nameStarts: [UInt32] = [0]
        for (index, byte) in names.enumerated() where byte == 0 { nameStarts.append(UInt32(index + 1)) }
        guard names.isEmpty || names.last == 0 else { throw .damaged }
        self.nameStarts = nameStarts

        let rows = ByteColumns(start: entryStart, count: entryCount, width: 3)
        var written = -1
        var key = 0
        var entries: [UInt32] = []
        entries.reserveCapacity(entryCount)
        var owners = [UInt32](repeating: .max, count: places)
        for entry in 0..<entryCount {
            while Int(firsts[key + 1]) <= entry { key += 1 }
            let row = rows.value(entry, in: bytes)
            guard row < places, let form = Form(rawValue: bytes[entryStart + 3 * entryCount + entry]) else {
                throw .damaged
            }
            if form == .written { written += 1 }
            switch form {
            case .alternate: break
            case .capitalised: owners[row] = UInt32(key)
            case .written, .again:
                guard (0..<nameStarts.count - 1).contains(written) else { throw .damaged }
                owners[row] = UInt32(written) | Self.high
            }
            entries.append(UInt32(row) | (form == .alternate ? 0 : Self.high))
        }
        guard !owners.contains(.max) else { throw .damaged }
        (self.entries, self.owners) = (entries, owners)
    }

    /// Returns the place's own name.
    func name(of place: Int) -> String {
        let owner = owners[place]
        if owner & Self.high == 0 { return PlaceKey.capitalised(key(Int(owner))) }
        let name = Int(owner & ~Self.high)
        return String(decoding: names[Int(nameStarts[name])..<Int(nameStarts[name + 1]) - 1], as: UTF8.self)
    }

    func key(_ index: Int) -> ArraySlice<UInt8> { text[Int(starts[index])..<Int(starts[index + 1])] }

    /// Returns the indices of the keys that begin with these bytes. A key equal to the bytes is the first of them.
    func range(prefix: [UInt8]) -> Range<Int> {
        let first = (0..<count).partition { compare($0, with: prefix) < 0 }
        return first..<(first..<count).partition { compare($0, with: prefix) <= 0 }
    }

    func index(of key: [UInt8]) -> Int? {
        let first = (0..<count).partition { compare($0, with: key) < 0 }
        return first < count && length(first) == key.count && compare(first, with: key) == 0 ? first : nil
    }

    /// Calls `body` with the entries of some keys: the place, and whether the key is that of the place's own name.
    func forEachEntry(of keys: Range<Int>, _ body: (_ place: Int, _ isOwn: Bool) -> Void) {
        for entry in Int(firsts[keys.lowerBound])..<Int(firsts[keys.upperBound]) {
            body(Int(entries[entry] & ~Self.high), entries[entry] & Self.high != 0)
        }
    }

    private func length(_ index: Int) -> Int { Int(starts[index + 1] - starts[index]) }

    /// Compares a key with some bytes: negative if the key sorts before them, 0 if it begins with them.
    private func compare(_ index: Int, with bytes: [UInt8]) -> Int {
        let begin = Int(starts[index])
        let shared = min(length(index), bytes.count)
        for offset in 0..<shared where text[begin + offset] != bytes[offset] {
            return text[begin + offset] < bytes[offset] ? -1 : 1
        }
        return shared == bytes.count ? 0 : -1
    }
}
