// SPDX-License-Identifier: Apache-2.0

extension WireIngestCounts {
    /// The maximum of each count, which is more than the rows of any source. Sums of many such counts cannot overflow.
    private static let most: UInt64 = 1 << 40

    /// Whether each count is at most `most`.
    public var isPossible: Bool { self == bounded }

    /// The counts, each reduced to at most `most`.
    public var bounded: Self {
        var counts = self
        (counts.added, counts.changed) = (min(added, Self.most), min(changed, Self.most))
        (counts.unchanged, counts.removed) = (min(unchanged, Self.most), min(removed, Self.most))
        (counts.rejected, counts.kept) = (min(rejected, Self.most), min(kept, Self.most))
        return counts
    }
}
