// SPDX-License-Identifier: Apache-2.0

/// Counts exactly which numbered messages are missing, arrived twice, or arrived out of order.
///
/// The numbers of one sender are 1, 2, 3, … Memory grows with the holes, not with the messages.
public struct SequenceLedger: Sendable {
    /// The number of messages that arrived, each counted once.
    public private(set) var received: UInt64 = 0
    /// The number of messages that had arrived before.
    public private(set) var repeats: UInt64 = 0
    /// The number of messages that arrived after a later one.
    public private(set) var reorders: UInt64 = 0
    /// The highest number that has arrived.
    public private(set) var highest: UInt64 = 0
    /// The missing numbers below ``highest``.
    private var holes = RangeSet<UInt64>()

    /// The greatest number that counts: at a million messages a second it takes nine years to reach.
    public static let greatest: UInt64 = 1 << 48

    public init() {}

    /// - Returns: whether the number is valid and new.
    @discardableResult
    public mutating func receive(_ number: UInt64) -> Bool {
        guard number <= Self.greatest else { return false }
        if number > highest {
            holes.insert(contentsOf: highest + 1..<number)
            highest = number
        } else if holes.contains(number) {
            holes.remove(contentsOf: number..<number + 1)
            reorders += 1
        } else {
            repeats += 1
            return false
        }
        received += 1
        return true
    }

    /// Whether this number has arrived.
    public func has(_ number: UInt64) -> Bool { number > 0 && number <= highest && !holes.contains(number) }

    /// The number of messages that have not arrived out of `sent`.
    public func lost(of sent: UInt64) -> UInt64 { sent - min(sent, received) }
}
