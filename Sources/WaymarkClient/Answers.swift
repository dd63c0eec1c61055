// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Landmarks

/// From which place in the history an answer comes, and how fresh that is.
public struct Standing: Sendable, Hashable {
    public var position: Position
    /// Milliseconds since the answering service last heard from storage.
    public var age: UInt32
    /// Storage is away: the answer is from the replica alone.
    public var isStorageAway: Bool
}

/// A landmark that a question found.
public struct Hit: Sendable, Hashable {
    public var landmark: Landmark
    /// Metres on WGS84; nil when no position was asked for.
    public var distance: Double?
    /// Initial bearing in degrees, clockwise from north; nil as above, and where it has no meaning.
    public var bearing: Double?
}

/// A page of what a question found.
public struct HitPage: Sendable {
    public var hits: [Hit]
    /// For the next page; nil: this was the last.
    public var cursor: Data?
    /// Search: there were more matches than are looked at.
    public var isTruncated: Bool
    public var standing: Standing
}

/// What a service says of itself when a client connects.
public struct Welcome: Sendable, Hashable {
    public var service: String
    public var version: String
    public var position: Position
    public var floor: UInt64
    public var run: UUIDv7
    /// Where to subscribe to changes.
    public var changesEndpoint: String
}

/// What a write did.
public struct Written: Sendable, Hashable {
    public var id: Landmark.ID
    public var rev: UInt64
    public var version: UInt64
    /// The note that was added.
    public var note: Note.ID?
    /// Nothing had to be changed, so no revision was made.
    public var isUnchanged: Bool
}

/// A landmark and what became of it.
public struct LandmarkHistory: Sendable {
    public struct Entry: Sendable, Hashable {
        public var rev: UInt64
        public var at: UInt64
        public var operation: Change.Operation
        public var user: String
        public var version: UInt64
    }

    public var landmark: Landmark
    /// Newest first.
    public var entries: [Entry]
    /// Older revisions are no longer kept.
    public var isCut: Bool
}

/// How far two places are apart.
public struct Separation: Sendable {
    /// Metres on WGS84.
    public var distance: Double
    /// Initial bearing in degrees, clockwise from north.
    public var bearing: Double
    public var from: Landmark?
    public var to: Landmark?
}
