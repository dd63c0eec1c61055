// SPDX-License-Identifier: Apache-2.0

/// The operations in flight, by number, each with its intended time. Numbers grow. How many are in flight is limited,
/// but not how far apart their numbers are, so a slow operation holds up no other.
///
/// A ring with a place for each number. The numbers in flight are mostly neighbours, so hardly ever two of them have
/// the same place; then the older one goes to the stragglers.
struct Flight {
    private struct Entry {
        /// 0: the place is free.
        var number: UInt64 = 0
        var intended: UInt64 = 0
        var client: UInt32 = 0
        var part: UInt32 = 0
    }

    private var ring: [Entry]
    private var stragglers: [UInt64: Entry] = [:]
    private let mask: UInt64
    private let most: Int
    /// No number below this one is in flight.
    private var oldest: UInt64 = 0
    private(set) var count = 0

    /// - Parameter most: the most operations in flight at once.
    init(most: Int) {
        var size = 2
        // Twice as many places, for those that are slower than their neighbours.
        while size < most * 2 { size *= 2 }
        ring = Array(repeating: Entry(), count: size)
        mask = UInt64(size - 1)
        self.most = most
    }

    /// Whether there is room for one more operation.
    var hasRoom: Bool { count < most }

    /// Call it only while it ``hasRoom``, with a number and a time that are greater than those before. The first number
    /// is 1.
    mutating func begin(_ number: UInt64, intended: UInt64, client: Int, part: Int = 0) {
        let place = Int(number & mask)
        if ring[place].number > 0 { stragglers[ring[place].number] = ring[place] }
        ring[place] = Entry(number: number, intended: intended, client: UInt32(client), part: UInt32(part))
        if count == 0 { oldest = number }
        count += 1
    }

    /// - Returns: its intended time; nil if it is not in flight (any more).
    mutating func end(_ number: UInt64) -> (intended: UInt64, client: Int, part: Int)? {
        guard let entry = find(number) else { return nil }
        let place = Int(number & mask)
        if ring[place].number == number { ring[place].number = 0 } else { stragglers[number] = nil }
        count -= 1
        return (entry.intended, Int(entry.client), Int(entry.part))
    }

    /// Removes the oldest operation that was intended before `time`; nil if there is none.
    mutating func expire(before time: UInt64) -> (number: UInt64, client: Int, part: Int)? {
        guard count > 0 else { return nil }
        // Each number is passed once.
        while find(oldest) == nil { oldest += 1 }
        guard let entry = find(oldest), entry.intended < time else { return nil }
        return end(oldest).map { (entry.number, $0.client, $0.part) }
    }

    private func find(_ number: UInt64) -> Entry? {
        let entry = ring[Int(number & mask)]
        return entry.number == number && number > 0 ? entry : stragglers[number]
    }
}
