// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkProtocol

/// A write command. All its values have been validated.
enum Command: Hashable, Sendable {
    case add(LandmarkDraft, note: String?)
    case edit(Landmark.ID, LandmarkEdit, ifVersion: UInt64?)
    /// The time is the mover's, in Unix milliseconds; nil: that of the revision.
    case move(Landmark.ID, to: Coordinate, at: UInt64?)
    case remove(Landmark.ID, ifVersion: UInt64?)
    case addNote(Landmark.ID, text: String)
    /// The landmark has to bear the note; nil: any.
    case editNote(Note.ID, text: String, on: Landmark.ID? = nil)
    case removeNote(Note.ID, on: Landmark.ID? = nil)
    case ingest(IngestBatch)
    case beginFetch(FetchRequest)
    case endFetch(source: String, WireFetchOutcome)
    case account(AccountCommand)
}

/// The rows of one source in one request.
struct IngestBatch: Hashable, Sendable {
    struct Row: Hashable, Sendable {
        /// Its place in the request.
        var place: UInt32
        var key: String
        var draft: LandmarkDraft
    }

    struct Rejection: Hashable, Sendable {
        var place: UInt32
        var reason: String
    }

    var source: String
    /// One row for each key.
    var rows: [Row]
    /// The rows of the request that break a rule.
    var rejected: [Rejection]
    /// Keys that the source no longer has, none of them in `rows`.
    var vanished: [String]
    /// Count what would change, and change nothing.
    var isDryRun: Bool

    /// Whether it has no rows and no vanished keys. A source without rows is then forgotten.
    var isEmpty: Bool { rows.isEmpty && rejected.isEmpty && vanished.isEmpty }
}

/// A request for the turn to fetch a source.
struct FetchRequest: Hashable, Sendable {
    var source: String
    var url: String
    var format: String
    /// Milliseconds that must have passed since the last attempt.
    var every: UInt64
    /// Milliseconds after which the turn ends even if it was not given back.
    var lease: UInt64
}
