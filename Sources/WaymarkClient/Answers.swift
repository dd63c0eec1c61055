// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Landmarks
import WaymarkProtocol
public import ZeroMQ

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
    /// Nil unless the question asked for it, and for a landmark without opening hours.
    public var opening: Opening?

    public init(landmark: Landmark, distance: Double? = nil, bearing: Double? = nil, opening: Opening? = nil) {
        (self.landmark, self.distance, self.bearing, self.opening) = (landmark, distance, bearing, opening)
    }
}

/// Whether a landmark is open.
public struct Opening: Sendable, Hashable {
    public enum State: String, Sendable, Hashable {
        case open, closed
        /// The hours are not understood, or depend on what is not known.
        case unknown
    }

    public var state: State
    /// When that changes, in Unix milliseconds; nil: not within a year, or not known.
    public var until: UInt64?
    /// The offset of the local time from UTC at `until`, in seconds.
    public var offset: Int
    /// IANA's name of the time zone; nil: not known.
    public var zone: String?
    /// Whether the zone is not the one that the configuration gives the landmark's source.
    public var isZoneAssumed: Bool
    /// What the hours say about it: by appointment.
    public var comment: String?

    public init(
        _ state: State, until: UInt64? = nil, offset: Int = 0, zone: String? = nil, isZoneAssumed: Bool = false,
        comment: String? = nil
    ) {
        (self.state, self.until, self.offset, self.zone) = (state, until, offset, zone)
        (self.isZoneAssumed, self.comment) = (isZoneAssumed, comment)
    }
}

/// Asks of landmarks whether they are open.
public struct OpeningQuestion: Sendable, Hashable {
    /// Unix milliseconds; nil: now, and on later pages the moment of the first page.
    public var at: UInt64?
    /// Only those that are known to be open then.
    public var isFilter: Bool

    public init(at: UInt64? = nil, isFilter: Bool = false) { (self.at, self.isFilter) = (at, isFilter) }

    var wire: WireOpeningQuestion { .with { ($0.at, $0.openOnly) = (at ?? 0, isFilter) } }
}

/// The order of what is near.
public enum NearRank: String, Sendable, Hashable, CaseIterable {
    case distance
    /// Best rated first; needs a radius.
    case prominence
}

/// One page of the result of a query.
public struct HitPage: Sendable {
    public var hits: [Hit]
    /// Names the next page; nil on the last one.
    public var cursor: Data?
    /// The moment that the openings are of, in Unix milliseconds; nil unless the question asked for them.
    public var openingAt: UInt64?
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
    /// The endpoint to subscribe to for changes, as this client finds it.
    public var changesEndpoint: String
    /// The form of the topics there.
    public var feedForm: FeedTopic.Form
    /// The public key of the server there; nil: it does not encrypt.
    public var changesKey: CurveKey?
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
