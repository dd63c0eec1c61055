// SPDX-License-Identifier: Apache-2.0

/// Sorts many slots by folded name, then id. The names lie all over the memory, so each name is read as few times as
/// possible.
///
/// The slots are sorted by the first eight bytes of their names, which are kept beside the slots. Only slots with equal
/// bytes are then sorted by the next eight bytes, and so on.
struct NameSorting {
    /// A slot, and eight bytes of its name as a number.
    typealias Entry = (word: UInt64, slot: UInt32)

    /// Smaller groups are sorted by comparing whole names, which is faster than first reading the next eight bytes of
    /// each name.
    private static let few = 12

    private let landmarks: SnapshotLandmarks
    private let entries: UnsafeMutableBufferPointer<Entry>
    /// Groups still to be sorted: slots whose names are equal before a byte offset.
    private var left: [(range: Range<Int>, offset: Int)] = []

    /// - Parameter entries: the slots with the first eight bytes of their names.
    static func sort(_ entries: inout [Entry], of landmarks: SnapshotLandmarks) {
        entries.withUnsafeMutableBufferPointer { entries in
            var sorting = NameSorting(landmarks: landmarks, entries: entries)
            sorting.sort()
        }
    }

    private mutating func sort() {
        sort(0..<entries.count, at: 0)
        // A list of groups replaces recursion, which could be too deep: a name can have thousands of bytes.
        while let (range, offset) = left.popLast() {
            read(range, at: offset)
            sort(range, at: offset)
        }
    }

    /// Sorts a range of the entries with a comparison of slots.
    private func sort(_ range: Range<Int>, _ isBefore: (UInt32, UInt32) -> Bool) {
        var part = UnsafeMutableBufferPointer(rebasing: entries[range])
        part.sort { (left: Entry, right: Entry) in isBefore(left.slot, right.slot) }
    }

    /// Whether the left slot comes first: by the bytes of its folded name, then by id.
    private func isBefore(_ left: UInt32, _ right: UInt32) -> Bool {
        let order = SortedName.compare(name(left), name(right))
        return order == 0 ? landmarks.id(left) < landmarks.id(right) : order < 0
    }

    private func name(_ slot: UInt32) -> UnsafeRawBufferPointer { landmarks.foldedName(slot) }

    /// Reads eight bytes of each name in the range, from the offset on.
    private func read(_ range: Range<Int>, at offset: Int) {
        for index in range {
            prefetch(index, before: range.upperBound)
            entries[index].word = SortedName.word(of: name(entries[index].slot), at: offset)
        }
    }

    /// Prefetches the names that will be read a few steps later.
    private func prefetch(_ index: Int, before end: Int) {
        guard index + 16 < end else { return }
        landmarks.prefetch(entries[index + 16].slot)
        landmarks.prefetchName(entries[index + 8].slot)
    }

    /// Sorts a range by the words, which hold the names' bytes at `offset`. Slots with equal words are then sorted by
    /// whole names, or form a group that is put aside if they are many.
    private mutating func sort(_ range: Range<Int>, at offset: Int) {
        var part = UnsafeMutableBufferPointer(rebasing: entries[range])
        part.sort { (left: Entry, right: Entry) in left.word < right.word }
        var start = range.lowerBound
        while start < range.upperBound {
            let word = entries[start].word
            var end = start + 1
            while end < range.upperBound, entries[end].word == word { end += 1 }
            if end - start > Self.few {
                putAside(start..<end, at: offset + 8)
            } else if end - start > 1 {
                sort(start..<end, isBefore)
            }
            start = end
        }
    }

    /// Sorts the slots whose names end before the offset, and puts the slots with longer names aside. Names that have
    /// ended come first. They differ only in zero bytes at their ends, so the shorter of two comes first.
    private mutating func putAside(_ range: Range<Int>, at offset: Int) {
        var part = UnsafeMutableBufferPointer(rebasing: entries[range])
        let ended = range.lowerBound + part.partition { name($0.slot).count > offset }
        sort(range.lowerBound..<ended) { left, right in
            let (first, second) = (name(left).count, name(right).count)
            return first == second ? landmarks.id(left) < landmarks.id(right) : first < second
        }
        if ended < range.upperBound { left.append((ended..<range.upperBound, offset)) }
    }
}
