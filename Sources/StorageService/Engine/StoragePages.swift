// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

struct ChangeLogPage: Hashable, Sendable {
    /// Encoded `Change` messages.
    var changes: [Data]
    /// With a filter: what each is to it.
    var operations: [FeedOperation] = []
    /// Read through this revision: nothing up to it is missing.
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
    /// Where the next page begins; nil when there is none.
    var next: Landmark.ID?
    /// All landmarks there are.
    var total: UInt64
    /// The head when this page was read.
    var rev: UInt64
}

struct RecordWithHistory: Sendable {
    /// An encoded `Landmark`.
    var record: Data
    /// Newest first.
    var history: [WireReadyHistoryEntry]
    /// Older revisions are no longer kept.
    var isCut: Bool
}

struct SearchResult: Hashable, Sendable {
    struct Match: Hashable, Sendable {
        var id: Landmark.ID
        /// An encoded `Landmark`, as it is now.
        var record: Data
    }

    var matches: [Match]
    var searchedThrough: UInt64
    /// There were more matches than are looked at.
    var isTruncated: Bool
}

struct SourceKeyPage: Hashable, Sendable {
    var keys: [String]
    var hasMore: Bool
}

struct StorageNumbers: Hashable, Sendable {
    var landmarks: UInt64
    var databaseBytes: UInt64
    /// How far the text search has come.
    var searchRev: UInt64
}
