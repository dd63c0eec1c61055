// SPDX-License-Identifier: Apache-2.0

/// The outcomes of the fetches of one source.
struct SourceCounters {
    var ingested: UInt64 = 0
    var notModified: UInt64 = 0
    var failed: UInt64 = 0
    /// How many times another query service was allowed to fetch instead.
    var leftToOthers: UInt64 = 0
    /// The number of rows in the document that was ingested last; nil before the first.
    var rows: UInt64?
    /// The end of the last successful fetch, or the start of fetching before it, in milliseconds on the monotonic
    /// clock.
    private(set) var lastGood: UInt64

    mutating func count(_ outcome: IngestNews.Outcome, now: UInt64) {
        switch outcome {
        case .ingested(let report):
            ingested += 1
            rows = report.taken.added + report.taken.changed + report.taken.unchanged
            lastGood = now
        case .notModified:
            notModified += 1
            lastGood = now
        case .failed: failed += 1
        case .leftToOthers: leftToOthers += 1
        }
    }
}
