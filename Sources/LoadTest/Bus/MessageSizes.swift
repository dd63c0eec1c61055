// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The sizes of a run's messages in bytes. The size of a message depends only on its number and the seed, so a repeated
/// run sends the same messages.
public enum MessageSizes: Hashable, Sendable {
    case fixed(Int)
    /// Half of the sizes are below the median, and two thirds are between median / factor and median × factor.
    case lognormal(median: Int, factor: Double)
    case uniform(ClosedRange<Int>)
    /// The sizes of a recorded run in their order, and again from the first. Not empty.
    case recorded([Int])

    public static let greatest = 16 << 20

    /// Returns the size of a message in bytes, from `least` to ``greatest``.
    ///
    /// - Parameter number: the number of the message, from 1.
    public func size(of number: UInt64, seed: UInt64, least: Int) -> Int {
        // The states of a generator follow one another at even distances. With such seeds, the random numbers of
        // neighbouring messages would overlap.
        var random = SeededGenerator(seed: seed ^ (number &* 0xd134_2543_de82_ef95))
        let size =
            switch self {
            case .fixed(let bytes): bytes
            case .lognormal(let median, let factor):
                Int(min(Double(median) * exp(log(factor) * random.normal()), Double(Self.greatest)))
            case .uniform(let range): range.lowerBound + Int(random.next() % UInt64(range.count))
            case .recorded(let sizes): sizes[Int((number &- 1) % UInt64(sizes.count))]
            }
        return min(max(size, least), Self.greatest)
    }

    /// A size that few messages exceed, by which the memory of a queue is limited.
    var usual: Int {
        switch self {
        case .fixed(let size): size
        case .lognormal(let median, let factor): Int(min(Double(median) * factor * factor, Double(Self.greatest)))
        case .uniform(let range): range.upperBound
        case .recorded(let sizes): sizes.max() ?? 0
        }
    }
}
