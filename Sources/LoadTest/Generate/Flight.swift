// SPDX-License-Identifier: Apache-2.0

/// The operations in flight by their numbers, each with its intended time. Numbers only increase. The number of
/// operations is limited, but the difference between their numbers is not, so a slow operation does not hold up others.
///
/// The operations are stored in a ring, at an index computed from the number. The numbers in flight are mostly close
/// together, so two operations rarely need the same index. If they do, the older one moves to a dictionary.
struct Flight {
    struct Operation {
        /// The number of the operation; 0 if its place in the ring is free.
        var number: UInt64 = 0
        var intended: UInt64 = 0
        var client: UInt32 = 0
        var part: UInt32 = 0
    }

    private var ring: [Operation]
    private var stragglers: [UInt64: Operation] = [:]
    private let mask: UInt64
    private let most: Int
    /// A lower bound of the numbers that are in flight.
    private var oldest: UInt64 = 0
    private(set) var count = 0

    /// - Parameter most: the maximum number of operations in flight.
    init(most: Int) {
        var size = 2
        // Make the ring twice as large, for operations that take longer than their neighbours.
        while size < most * 2 { size *= 2 }
        ring = Array(repeating: Operation(), count: size)
        mask = UInt64(size - 1)
        self.most = most
    }

    var hasRoom: Bool { count < most }

    /// Adds an operation. Allowed only if ``hasRoom``; number and time must be greater than all earlier ones. The first
    /// number is 1.
    mutating func begin(_ number: UInt64, intended: UInt64, client: Int, part: Int = 0) {
        let place = Int(number & mask)
        if ring[place].number > 0 { stragglers[ring[place].number] = ring[place] }
        ring[place] = Operation(number: number, intended: intended, client: UInt32(client), part: UInt32(part))
        if count == 0 { oldest = number }
        count += 1
    }

    /// - Returns: the operation; nil if it is not in flight, or no longer.
    mutating func end(_ number: UInt64) -> Operation? {
        guard let operation = find(number) else { return nil }
        let place = Int(number & mask)
        if ring[place].number == number { ring[place].number = 0 } else { stragglers[number] = nil }
        count -= 1
        return operation
    }

    /// Removes and returns the oldest operation if its intended time is before `time`; otherwise nil.
    mutating func expire(before time: UInt64) -> Operation? {
        guard count > 0 else { return nil }
        // Each number is skipped at most once, so this loop is cheap on average.
        while find(oldest) == nil { oldest += 1 }
        guard let operation = find(oldest), operation.intended < time else { return nil }
        return end(oldest)
    }

    private func find(_ number: UInt64) -> Operation? {
        let operation = ring[Int(number & mask)]
        return operation.number == number && number > 0 ? operation : stragglers[number]
    }
}
