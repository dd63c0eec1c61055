// SPDX-License-Identifier: Apache-2.0

extension WireIngestCounts {
    /// More rows than any source has. Sums of so many counts stay far below the greatest number.
    private static let most: UInt64 = 1 << 40

    /// Whether these can be the counts of one source.
    public var isPossible: Bool {
        [added, changed, unchanged, removed, rejected, kept].allSatisfy { $0 <= Self.most }
    }

    /// No count is greater than one of one source can be.
    public var bounded: Self {
        .with {
            ($0.added, $0.changed) = (min(added, Self.most), min(changed, Self.most))
            ($0.unchanged, $0.removed) = (min(unchanged, Self.most), min(removed, Self.most))
            ($0.rejected, $0.kept) = (min(rejected, Self.most), min(kept, Self.most))
        }
    }
}
