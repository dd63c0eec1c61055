// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// A source, with the results of its fetches. Times are Unix milliseconds.
public struct SourceState: Sendable, Hashable {
    public enum Result: String, Sendable, Hashable {
        case ingested, failed
        case notModified = "not_modified"
    }

    private let wire: WireSourceState

    /// The name of the source.
    public var source: String { wire.source }
    public var url: String { wire.url }
    /// The format that is configured for the source.
    public var format: String { wire.format }
    public var landmarks: UInt64 { wire.landmarks }
    /// The time of the last attempt; 0 if there was none.
    public var attempted: UInt64 { wire.attempted }
    /// The time of the last success; 0 if there was none.
    public var succeeded: UInt64 { wire.succeeded }
    public var attempts: UInt64 { wire.attempts }
    public var failures: UInt64 { wire.failures }
    /// The result of the last fetch; nil while that fetch has not ended.
    public var result: Result? {
        switch wire.outcome.result {
        case .ingested: .ingested
        case .notModified: .notModified
        case .failed: .failed
        case .unspecified, .UNRECOGNIZED: nil
        }
    }
    /// The reason of the last failure, in one sentence.
    public var error: String { wire.outcome.error }
    /// The format that was recognised in the fetched body, if rows were taken from it.
    public var readAs: String { wire.outcome.format }
    /// The counts of the last rows that were taken; nil if none were ever taken.
    public var counts: SourceCounts? { wire.outcome.hasCounts ? SourceCounts(wire.outcome.counts) : nil }

    package init(_ wire: WireSourceState) { self.wire = wire }
}

/// The numbers of rows in a source's last fetch.
public struct SourceCounts: Sendable, Hashable {
    private let wire: WireIngestCounts

    public var added: UInt64 { wire.added }
    public var changed: UInt64 { wire.changed }
    public var unchanged: UInt64 { wire.unchanged }
    public var removed: UInt64 { wire.removed }
    /// Landmarks that disappeared from the source, but were kept because they have people's notes.
    public var kept: UInt64 { wire.kept }
    public var rejected: UInt64 { wire.rejected }

    package init(_ wire: WireIngestCounts = WireIngestCounts()) { self.wire = wire }

    /// The counts with their names, in the order of display.
    public var named: [(name: String, count: UInt64)] {
        [
            ("added", added), ("changed", changed), ("unchanged", unchanged), ("removed", removed), ("kept", kept),
            ("rejected", rejected),
        ]
    }
}
