// SPDX-License-Identifier: Apache-2.0

/// Counts exactly which numbered messages are missing, arrived twice, or arrived out of order.
///
/// The numbers of one sender are 1, 2, 3, … The memory grows with the number of gaps, not with the number of messages.
public struct SequenceLedger: Sendable {
    /// The number of different messages that arrived.
    public private(set) var received: UInt64 = 0
    /// The number of times that a message arrived again.
    public private(set) var repeats: UInt64 = 0
    /// The number of messages that arrived after a message with a higher number.
    public private(set) var reorders: UInt64 = 0
    /// The highest number that has arrived.
    public private(set) var highest: UInt64 = 0
    /// The missing numbers below ``highest``.
    private var holes = RangeSet<UInt64>()

    /// The maximum number that is accepted. At a million messages per second it takes nine years to reach.
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

    /// The lowest number that has arrived; 0 if none has.
    public var lowest: UInt64 { received == 0 ? 0 : holes.contains(1) ? holes.ranges[0].upperBound : 1 }

    /// Whether this number has arrived.
    public func has(_ number: UInt64) -> Bool { number > 0 && number <= highest && !holes.contains(number) }

    /// Returns how many of `sent` messages have not arrived.
    public func lost(of sent: UInt64) -> UInt64 { sent - min(sent, received) }
}
