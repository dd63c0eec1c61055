// SPDX-License-Identifier: Apache-2.0

extension WireIngestCounts {
    private static let numbers: [WritableKeyPath<Self, UInt64> & Sendable] = [
        \.added, \.changed, \.unchanged, \.removed, \.rejected, \.kept,
    ]
    /// More rows than any source has. Sums of so many counts stay far below the greatest number.
    private static let most: UInt64 = 1 << 40

    /// Whether these can be the counts of one source.
    public var isPossible: Bool { Self.numbers.allSatisfy { self[keyPath: $0] <= Self.most } }

    /// No count is greater than one of one source can be.
    public var bounded: Self {
        var counts = self
        for number in Self.numbers { counts[keyPath: number] = min(counts[keyPath: number], Self.most) }
        return counts
    }
}
