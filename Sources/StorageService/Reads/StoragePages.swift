// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

struct ChangeLogPage: Hashable, Sendable {
    /// Encoded `Change` messages.
    var changes: [Data]
    /// The operation of each change as the filter sees it. Empty without a filter.
    var operations: [FeedOperation] = []
    /// The page is complete through this revision.
    var through: UInt64
    var head: UInt64
    var floor: UInt64
}

struct LocatedRevision: Hashable, Sendable {
    var rev: UInt64
    var floor: UInt64
}

struct RecordPage: Hashable, Sendable {
    /// Encoded `Landmark` messages.
    var records: [Data]
    /// The last id of this page, after which the next one begins; nil if this is the last page.
    var next: Landmark.ID?
    /// The number of all landmarks.
    var total: UInt64
    /// The head when this page was read.
    var rev: UInt64
}

struct TrackPage: Hashable, Sendable {
    var points: [TrackPoint]
    /// The revision after which the next page begins; nil if this is the last page.
    var next: UInt64?
}

struct SearchResult: Hashable, Sendable {
    struct Match: Hashable, Sendable {
        var id: Landmark.ID
        /// An encoded `Landmark`, as it is now.
        var record: Data
    }

    var matches: [Match]
    var searchedThrough: UInt64
    /// There were more matches than the search examines.
    var isTruncated: Bool
}

struct StorageNumbers: Hashable, Sendable {
    var landmarks: UInt64
    var databaseBytes: UInt64
}
