// SPDX-License-Identifier: Apache-2.0

/// The operations in flight, by number, each with its intended time. Numbers grow. The number of operations in flight
/// is limited, but not the distance of their numbers, so a slow operation holds up no other.
///
/// The operations are in a ring with a place for each number. The numbers in flight are mostly neighbours, so two of
/// them hardly ever have the same place; then the older one moves to the stragglers.
struct Flight {
    private struct Entry {
        /// The number of the operation; 0 if the place is free.
        var number: UInt64 = 0
        var intended: UInt64 = 0
        var client: UInt32 = 0
        var part: UInt32 = 0
    }

    private var ring: [Entry]
    private var stragglers: [UInt64: Entry] = [:]
    private let mask: UInt64
    private let most: Int
    /// A lower bound of the numbers in flight.
    private var oldest: UInt64 = 0
    private(set) var count = 0

    /// - Parameter most: the most operations in flight at once.
    init(most: Int) {
        var size = 2
        // Twice as many places, for operations that are slower than their neighbours.
        while size < most * 2 { size *= 2 }
        ring = Array(repeating: Entry(), count: size)
        mask = UInt64(size - 1)
        self.most = most
    }

    /// Whether there is room for one more operation.
    var hasRoom: Bool { count < most }

    /// Adds an operation. Call it only while ``hasRoom``, with a number and a time greater than all before. The first
    /// number is 1.
    mutating func begin(_ number: UInt64, intended: UInt64, client: Int, part: Int = 0) {
        let place = Int(number & mask)
        if ring[place].number > 0 { stragglers[ring[place].number] = ring[place] }
        ring[place] = Entry(number: number, intended: intended, client: UInt32(client), part: UInt32(part))
        if count == 0 { oldest = number }
        count += 1
    }

    /// - Returns: the operation's intended time; nil if the operation is not, or no longer, in flight.
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
        // Each number is skipped at most once, so this loop is cheap on average.
        while find(oldest) == nil { oldest += 1 }
        guard let entry = find(oldest), entry.intended < time else { return nil }
        return end(oldest).map { (entry.number, $0.client, $0.part) }
    }

    private func find(_ number: UInt64) -> Entry? {
        let entry = ring[Int(number & mask)]
        return entry.number == number && number > 0 ? entry : stragglers[number]
    }
}
