// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import Landmarks

/// A key in the order by name: the bytes of the folded name, then the id. The key contains a copy of the name, so
/// comparing two keys reads no landmark.
struct SortedName: Comparable, Sendable {
    private static let wordBytes = 24

    /// The first 24 bytes of the name as numbers, which decide most comparisons. Zeros replace missing bytes.
    private let words: (UInt64, UInt64, UInt64)
    /// The bytes of the name after the first 24.
    private let rest: [UInt8]
    private let count: UInt32
    private let id: Landmark.ID

    init(_ name: UnsafeRawBufferPointer, _ id: Landmark.ID) {
        words = (Self.word(of: name, at: 0), Self.word(of: name, at: 8), Self.word(of: name, at: 16))
        rest = name.count > Self.wordBytes ? Array(name[Self.wordBytes...]) : []
        count = UInt32(clamping: name.count)
        self.id = id
    }

    /// Returns eight bytes of a name as a number, with zeros in place of missing bytes. If the numbers of two names
    /// differ, the name with the smaller number comes first.
    @inline(__always)
    static func word(of name: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        if offset + 8 <= name.count {
            return UInt64(bigEndian: name.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in offset..<offset + 8 { word = word << 8 | UInt64(index < name.count ? name[index] : 0) }
        return word
    }

    /// Compares the bytes of two names. The result is negative if the left name comes first, and 0 if they are equal.
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let both = min(left.count, right.count)
        let order = both == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, both)
        return order == 0 ? left.count - right.count : Int(order)
    }

    /// Compares the folded forms of two names in ASCII, without making them.
    static func compare(ascii left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let both = min(left.count, right.count)
        var index = 0
        // Neighbours in the order often begin alike.
        while index + 8 <= both,
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        { index += 8 }
        while index < both {
            let order = Int(LandmarkFields.folded(left[index])) - Int(LandmarkFields.folded(right[index]))
            if order != 0 { return order }
            index += 1
        }
        return left.count - right.count
    }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

    static func < (left: Self, right: Self) -> Bool {
        if left.words.0 != right.words.0 { return left.words.0 < right.words.0 }
        if left.words.1 != right.words.1 { return left.words.1 < right.words.1 }
        if left.words.2 != right.words.2 { return left.words.2 < right.words.2 }
        let both = min(left.rest.count, right.rest.count)
        if both > 0 {
            let order = memcmp(left.rest, right.rest, both)
            if order != 0 { return order < 0 }
        }
        // The names are equal, or one is the beginning of the other, except for zero bytes after the shorter.
        return left.count != right.count ? left.count < right.count : left.id < right.id
    }
}

/// A key in the order by the revision of a landmark's last change. Two landmarks share a revision only in a damaged
/// database; then their slots decide.
struct SortedRevision: Comparable, Sendable {
    let rev: UInt64
    let slot: UInt32

    static func < (left: Self, right: Self) -> Bool {
        left.rev != right.rev ? left.rev < right.rev : left.slot < right.slot
    }
}
