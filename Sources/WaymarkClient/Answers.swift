// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Landmarks

/// The position in the history that an answer reflects, and how fresh it is.
public struct Standing: Sendable, Hashable {
    public var position: Position
    /// How long ago the answering service last received something from storage, in milliseconds.
    public var age: UInt32
    /// Whether storage is unreachable, so that the answer comes from the replica alone.
    public var isStorageAway: Bool
}

/// A landmark in the result of a query.
public struct Hit: Sendable, Hashable {
    public var landmark: Landmark
    /// Metres on WGS84; nil when the request named no position.
    public var distance: Double?
    /// Initial bearing in degrees, clockwise from north; nil when the request named no position, or at distance 0.
    public var bearing: Double?
}

/// One page of the result of a query.
public struct HitPage: Sendable {
    public var hits: [Hit]
    /// Names the next page; nil on the last one.
    public var cursor: Data?
    /// For searches: whether there were more matches than the service examines.
    public var isTruncated: Bool
    public var standing: Standing
}

/// What a service says about itself when a client connects.
public struct Welcome: Sendable, Hashable {
    public var service: String
    public var version: String
    public var position: Position
    public var floor: UInt64
    public var run: UUIDv7
    /// The endpoint to subscribe to for changes.
    public var changesEndpoint: String
}

/// The result of a write.
public struct Written: Sendable, Hashable {
    public var id: Landmark.ID
    public var rev: UInt64
    public var version: UInt64
    /// The note that was added.
    public var note: Note.ID?
    /// True when the landmark was already as requested, so no revision was made.
    public var isUnchanged: Bool
}

/// A landmark and its history.
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
    /// Whether older revisions exist that the log no longer keeps.
    public var isCut: Bool
}

/// The distance between two places.
public struct Separation: Sendable {
    /// Metres on WGS84.
    public var distance: Double
    /// Initial bearing in degrees, clockwise from north.
    public var bearing: Double
    public var from: Landmark?
    public var to: Landmark?
}
