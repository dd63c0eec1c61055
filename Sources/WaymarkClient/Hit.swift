// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import SwiftProtobuf
import WaymarkProtocol

/// A landmark in the result of a query.
public struct Hit: Sendable, Hashable {
    public var landmark: Landmark
    /// The distance in metres on WGS84; nil if the request did not name a place to measure from.
    public var distance: Double?
    /// The initial bearing in degrees, clockwise from north; nil without such a place, or at distance 0.
    public var bearing: Double?
    /// The opening state; nil if it was not requested, or if the landmark has no opening hours.
    public var opening: Opening?

    public init(landmark: Landmark, distance: Double? = nil, bearing: Double? = nil, opening: Opening? = nil) {
        // One by one, because a row that is made from a tuple is copied.
        self.landmark = landmark
        self.distance = distance
        self.bearing = bearing
        self.opening = opening
    }
}

/// Whether a landmark is open.
public struct Opening: Sendable, Hashable {
    public enum State: String, Sendable, Hashable {
        case open, closed
        /// The opening hours cannot be understood, or depend on facts that are not known.
        case unknown
    }

    /// An upper limit for the offset of any time zone from UTC, in seconds.
    private static let farthest: Int32 = 2 * 86_400

    private let wire: WireOpening

    public var state: State {
        switch wire.state {
        case .open: .open
        case .closed: .closed
        case .unknown, .UNRECOGNIZED: .unknown
        }
    }
    /// The time of the next change of state in Unix milliseconds; nil if unknown or more than a year away.
    public var until: UInt64? { wire.until == 0 ? nil : wire.until }
    /// The offset of the local time from UTC at `until`, in seconds.
    public var offset: Int { Int(wire.offset) }
    /// The IANA name of the time zone; nil if it is unknown.
    public var zone: String? { wire.zone.isEmpty ? nil : wire.zone }
    /// Whether the time zone is a guess, instead of the one configured for the landmark's source.
    public var isZoneAssumed: Bool { wire.zoneAssumed }
    /// A comment in the opening hours, for example "by appointment".
    public var comment: String? { wire.comment.isEmpty ? nil : wire.comment }

    package init(encoded bytes: some ContiguousBytes) throws(ClientError) {
        let wire = try? WireOpening(serializedBytes: bytes.withUnsafeBytes { [UInt8]($0) })
        guard let wire, wire.until <= UnixTime.latest, -Self.farthest...Self.farthest ~= wire.offset else {
            throw .unreadableAnswer("opening hours")
        }
        self.wire = wire
    }
}

/// The question whether landmarks are open at a certain time.
public struct OpeningQuestion: Sendable, Hashable {
    /// The time in question, in Unix milliseconds. Nil for now, or, on later pages, for the time of the first page.
    public var at: UInt64?
    /// Whether to return only landmarks that are known to be open at that time.
    public var isFilter: Bool

    public init(at: UInt64? = nil, isFilter: Bool = false) { (self.at, self.isFilter) = (at, isFilter) }

    var wire: WireOpeningQuestion { .with { ($0.at, $0.openOnly) = (at ?? 0, isFilter) } }
}

/// The order of nearby landmarks.
public enum NearRank: String, Sendable, Hashable, CaseIterable {
    case distance
    /// Best rated first. Needs a radius.
    case prominence
}

/// The order of a list. The raw values are those of the protocol.
public enum ListOrder: Int, Sendable, Hashable {
    case byName, byRecent, byDistance

    var wire: WireList.Order { WireList.Order(rawValue: rawValue) ?? .byName }
}
