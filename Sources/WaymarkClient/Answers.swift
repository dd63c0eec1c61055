// SPDX-License-Identifier: Apache-2.0

public import Geodesy
import WaymarkProtocol
public import ZeroMQ

/// The position in the history that an answer reflects, and the age of the answer.
public struct Freshness: Sendable, Hashable {
    public var position: Position
    /// How long ago the answering service last received something from storage, in milliseconds.
    public var age: UInt32
    /// Whether storage is unreachable, so that the answer comes from the replica alone.
    public var isStorageAway: Bool
}

/// A service's answer to a greeting: its identity, version and feed.
public struct Welcome: Sendable, Hashable {
    public var service: String
    public var version: String
    public var position: Position
    public var floor: UInt64
    public var run: UUIDv7
    /// The endpoint at which this client can subscribe to changes.
    public var changesEndpoint: String
    /// The public key of the publisher at that endpoint; nil if it does not encrypt.
    public var changesKey: CurveKey?
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
    /// The entries, newest first.
    public var entries: [Entry]
    /// Whether the landmark has older revisions that the log no longer keeps.
    public var isCut: Bool
}

extension LandmarkHistory {
    init(_ wire: WireShown) throws(InvalidInput) {
        entries = wire.history.compactMap { entry in
            Change.Operation(entry.operation).map {
                Entry(rev: entry.rev, at: entry.at, operation: $0, user: entry.user, version: entry.version)
            }
        }
        (landmark, isCut) = (try Landmark(wire.landmark), wire.historyCut)
    }
}

extension [LandmarkHistory.Entry] {
    /// Returns the changes that made the newest entries, by revision. A change that the log no longer keeps, or that
    /// cannot be read now, is left out without an error, because the changes are only additional information.
    package func changes(asking client: WaymarkClient, atMost most: Int = 100) async -> [UInt64: Change] {
        guard !isEmpty, let epoch = try? await client.hello().position.epoch else { return [:] }
        var found: [UInt64: Change] = [:]
        for entry in prefix(most) {
            let before = Position(epoch: epoch, rev: entry.rev == 0 ? 0 : entry.rev - 1)
            guard let page = try? await client.changes(after: before, limit: 1) else { break }
            if let change = page.changes.first?.change, change.rev == entry.rev { found[entry.rev] = change }
        }
        return found
    }
}

/// The distance between two landmarks or points.
public struct Separation: Sendable {
    /// The distance in metres on WGS84.
    public var distance: Double
    /// The initial bearing in degrees, clockwise from north.
    public var bearing: Double
    public var from: Landmark?
    public var to: Landmark?
}

/// A landmark, given by its id, or a point, given by its coordinate.
public enum PlaceReference: Sendable, Hashable {
    case landmark(Landmark.ID)
    case point(Coordinate)

    var wire: WirePlace {
        .with {
            switch self {
            case .landmark(let id): $0.landmark = id.wire
            case .point(let coordinate): $0.point = WirePoint(coordinate)
            }
        }
    }
}
