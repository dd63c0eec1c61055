// SPDX-License-Identifier: Apache-2.0

extension WireIngestCounts {
    /// The limit of each count: more rows than any source has. Sums of many such counts stay far below the limit of
    /// UInt64.
    private static let most: UInt64 = 1 << 40

    /// Whether these can be the counts of one source.
    public var isPossible: Bool {
        [added, changed, unchanged, removed, rejected, kept].allSatisfy { $0 <= Self.most }
    }

    /// The same counts, each limited to what one source can have.
    public var bounded: Self {
        .with {
            ($0.added, $0.changed) = (min(added, Self.most), min(changed, Self.most))
            ($0.unchanged, $0.removed) = (min(unchanged, Self.most), min(removed, Self.most))
            ($0.rejected, $0.kept) = (min(rejected, Self.most), min(kept, Self.most))
        }
    }
}
