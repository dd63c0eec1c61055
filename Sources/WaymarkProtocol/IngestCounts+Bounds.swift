// SPDX-License-Identifier: Apache-2.0

extension WireIngestCounts {
    /// The maximum of each count, which is more than the rows of any source. Sums of many such counts cannot overflow.
    private static let most: UInt64 = 1 << 40

    /// Whether each count is at most `most`.
    public var isPossible: Bool {
        [added, changed, unchanged, removed, rejected, kept].allSatisfy { $0 <= Self.most }
    }

    /// The counts, each reduced to at most `most`.
    public var bounded: Self {
        .with {
            ($0.added, $0.changed) = (min(added, Self.most), min(changed, Self.most))
            ($0.unchanged, $0.removed) = (min(unchanged, Self.most), min(removed, Self.most))
            ($0.rejected, $0.kept) = (min(rejected, Self.most), min(kept, Self.most))
        }
    }
}
