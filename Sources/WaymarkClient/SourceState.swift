// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// A source, with the results of its fetches. Times are Unix milliseconds.
public struct SourceState: Sendable, Hashable {
    public enum Result: String, Sendable, Hashable {
        case ingested, failed
        case notModified = "not_modified"
    }

    /// The name of the source.
    public let source: String
    public let url: String
    /// The format that is configured for the source.
    public let format: String
    public let landmarks: UInt64
    /// The time of the last attempt; 0 if there was none.
    public let attempted: UInt64
    /// The time of the last success; 0 if there was none.
    public let succeeded: UInt64
    public let attempts: UInt64
    public let failures: UInt64
    /// The result of the last fetch; nil while that fetch has not ended.
    public let result: Result?
    /// The reason of the last failure, in one sentence.
    public let error: String
    /// The format that was recognised in the fetched body, if rows were taken from it.
    public let readAs: String
    /// The counts of the last rows that were taken; nil if none were ever taken.
    public let counts: SourceCounts?

    package init(_ wire: WireSourceState) {
        (source, url, format, landmarks) = (wire.source, wire.url, wire.format, wire.landmarks)
        (attempted, succeeded, attempts, failures) = (wire.attempted, wire.succeeded, wire.attempts, wire.failures)
        let outcome = wire.outcome
        result =
            switch outcome.result {
            case .ingested: .ingested
            case .notModified: .notModified
            case .failed: .failed
            case .unspecified, .UNRECOGNIZED: nil
            }
        (error, readAs) = (outcome.error, outcome.format)
        counts = outcome.hasCounts ? SourceCounts(outcome.counts) : nil
    }
}

/// The numbers of rows in a source's last fetch.
public struct SourceCounts: Sendable, Hashable {
    public let added: UInt64
    public let changed: UInt64
    public let unchanged: UInt64
    public let removed: UInt64
    /// Landmarks that disappeared from the source, but were kept because they have people's notes.
    public let kept: UInt64
    public let rejected: UInt64

    package init(_ wire: WireIngestCounts = WireIngestCounts()) {
        (added, changed, unchanged) = (wire.added, wire.changed, wire.unchanged)
        (removed, kept, rejected) = (wire.removed, wire.kept, wire.rejected)
    }

    /// The counts with their names, in the order of display.
    public var named: [(name: String, count: UInt64)] {
        [
            ("added", added), ("changed", changed), ("unchanged", unchanged), ("removed", removed), ("kept", kept),
            ("rejected", rejected),
        ]
    }
}
