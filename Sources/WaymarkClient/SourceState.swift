// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// A source, and what is known of its fetches. Times are Unix milliseconds.
public struct SourceState: Sendable, Hashable {
    public enum Result: String, Sendable, Hashable {
        case ingested, failed
        case notModified = "not_modified"
    }

    /// Its name.
    public let source: String
    public let url: String
    /// As it is configured.
    public let format: String
    public let landmarks: UInt64
    /// 0: never.
    public let attempted: UInt64
    /// 0: never.
    public let succeeded: UInt64
    public let attempts: UInt64
    public let failures: UInt64
    /// Of the last fetch; nil: it has not ended.
    public let result: Result?
    /// Why it failed, in one sentence.
    public let error: String
    /// The shape that the body was read as, when rows were taken.
    public let readAs: String
    /// Nil: no rows were ever taken.
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

/// The rows of a source's last fetch.
public struct SourceCounts: Sendable, Hashable {
    public let added: UInt64
    public let changed: UInt64
    public let unchanged: UInt64
    public let removed: UInt64
    /// Vanished from the source, but kept, because they have people's notes.
    public let kept: UInt64
    public let rejected: UInt64

    package init(_ wire: WireIngestCounts = WireIngestCounts()) {
        (added, changed, unchanged) = (wire.added, wire.changed, wire.unchanged)
        (removed, kept, rejected) = (wire.removed, wire.kept, wire.rejected)
    }

    /// In the order in which they are told.
    public var named: [(name: String, count: UInt64)] {
        [
            ("added", added), ("changed", changed), ("unchanged", unchanged), ("removed", removed), ("kept", kept),
            ("rejected", rejected),
        ]
    }
}
