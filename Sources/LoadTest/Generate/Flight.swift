// SPDX-License-Identifier: Apache-2.0

/// The operations in flight, by number, each with its intended time. Numbers grow. How many are in flight is limited,
/// but not how far apart their numbers are, so a slow operation holds up no other.
///
/// A hash table with chains over a pool of entries, so that use allocates nothing. The numbers in flight are mostly
/// neighbours, so a chain is hardly ever longer than one.
struct Flight {
    private struct Entry {
        var number: UInt64 = 0
        var intended: UInt64 = 0
        var client: UInt32 = 0
        var part: UInt32 = 0
        /// The next entry of the chain, or of the list of free entries.
        var next: Int32 = none
        /// Its neighbours by age.
        var older: Int32 = none
        var newer: Int32 = none
    }

    private static let none: Int32 = -1

    private var entries: [Entry]
    /// The first entry of each chain.
    private var chains: [Int32]
    private var free: Int32
    private var oldest = Self.none
    private var newest = Self.none
    private let mask: UInt64
    private let most: Int
    private(set) var count = 0

    /// - Parameter most: the most operations in flight at once.
    init(most: Int) {
        var size = 2
        while size < most { size *= 2 }
        entries = (0..<most).map { Entry(next: $0 + 1 < most ? Int32($0 + 1) : Self.none) }
        chains = Array(repeating: Self.none, count: size)
        free = most > 0 ? 0 : Self.none
        mask = UInt64(size - 1)
        self.most = most
    }

    /// Whether there is room for one more operation.
    var hasRoom: Bool { count < most }

    /// Call it only while it ``hasRoom``, with a number and a time that are greater than those before.
    mutating func begin(_ number: UInt64, intended: UInt64, client: Int, part: Int = 0) {
        let (place, chain) = (free, Int(number & mask))
        free = entries[Int(place)].next
        entries[Int(place)] = Entry(
            number: number, intended: intended, client: UInt32(client), part: UInt32(part), next: chains[chain],
            older: newest)
        chains[chain] = place
        if newest == Self.none { oldest = place } else { entries[Int(newest)].newer = place }
        newest = place
        count += 1
    }

    /// - Returns: its intended time; nil if it is not in flight (any more).
    mutating func end(_ number: UInt64) -> (intended: UInt64, client: Int, part: Int)? {
        let chain = Int(number & mask)
        var (place, before) = (chains[chain], Self.none)
        while place != Self.none, entries[Int(place)].number != number {
            (place, before) = (entries[Int(place)].next, place)
        }
        guard place != Self.none else { return nil }
        let entry = entries[Int(place)]
        if before == Self.none { chains[chain] = entry.next } else { entries[Int(before)].next = entry.next }
        if entry.older == Self.none { oldest = entry.newer } else { entries[Int(entry.older)].newer = entry.newer }
        if entry.newer == Self.none { newest = entry.older } else { entries[Int(entry.newer)].older = entry.older }
        entries[Int(place)].next = free
        free = place
        count -= 1
        return (entry.intended, Int(entry.client), Int(entry.part))
    }

    /// Removes the oldest operation that was intended before `time`; nil if there is none.
    mutating func expire(before time: UInt64) -> (number: UInt64, client: Int, part: Int)? {
        guard oldest != Self.none, entries[Int(oldest)].intended < time else { return nil }
        let number = entries[Int(oldest)].number
        return end(number).map { (number, $0.client, $0.part) }
    }
}
