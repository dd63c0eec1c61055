// SPDX-License-Identifier: Apache-2.0

/// Counts exactly which numbered messages are missing, arrived twice, or arrived out of order.
///
/// The numbers of one sender are 1, 2, 3, … Memory grows with the holes, not with the messages.
public struct SequenceLedger: Sendable {
    /// Messages that arrived, each counted once.
    public private(set) var received: UInt64 = 0
    /// Messages that had arrived before.
    public private(set) var repeats: UInt64 = 0
    /// Messages that arrived after a later one.
    public private(set) var reorders: UInt64 = 0
    /// The highest number that has arrived.
    public private(set) var highest: UInt64 = 0
    /// What is missing below ``highest``: ranges in order that do not touch.
    private var holes: [ClosedRange<UInt64>] = []

    /// The greatest number that counts: of a million messages a second, after nine years.
    public static let greatest: UInt64 = 1 << 48

    public init() {}

    /// - Returns: whether the number is valid and new.
    @discardableResult
    public mutating func take(_ number: UInt64) -> Bool {
        guard number <= Self.greatest else { return false }
        if number == highest + 1 {
            highest = number
        } else if number > highest {
            holes.append(highest + 1...number - 1)
            highest = number
        } else {
            guard fill(number) else {
                repeats += 1
                return false
            }
            reorders += 1
        }
        received += 1
        return true
    }

    /// Whether this number has arrived.
    public func has(_ number: UInt64) -> Bool {
        guard number > 0, number <= highest else { return false }
        let place = hole(of: number)
        return place == holes.count || !holes[place].contains(number)
    }

    /// How many of `sent` messages have not arrived.
    public func lost(of sent: UInt64) -> UInt64 { sent - min(sent, received) }

    /// The first hole that does not end before `number`.
    private func hole(of number: UInt64) -> Int {
        var (low, high) = (0, holes.count)
        while low < high {
            let middle = (low + high) / 2
            if holes[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func fill(_ number: UInt64) -> Bool {
        let low = hole(of: number)
        guard low < holes.count, holes[low].contains(number) else { return false }
        let hole = holes[low]
        var rest: [ClosedRange<UInt64>] = []
        if hole.lowerBound < number { rest.append(hole.lowerBound...number - 1) }
        if number < hole.upperBound { rest.append(number + 1...hole.upperBound) }
        holes.replaceSubrange(low...low, with: rest)
        return true
    }
}
