// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
public import ZeroMQ

/// A right to do one thing without an account, for whoever brings its secret. Times are Unix milliseconds.
public struct Grant: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// A phone's key: adds points to the track of one landmark, and so moves it.
        case move
        /// A link: shows one landmark, or an area.
        case see

        var wire: WireGrantKind { self == .move ? .move : .see }
    }

    /// The landmarks of a grant.
    public enum Target: Sendable, Hashable {
        case landmark(Landmark.ID)
        /// All that match the filter, which has one condition at least.
        case area(FeedFilter)
    }

    /// The digest of the secret.
    public let digest: CurveKey
    public let kind: Kind
    public let label: String
    /// The number of the account that owns the grant; 0 if nobody does.
    public let account: UInt64
    /// The user or account that made the grant, by the name of that time.
    public let user: String
    public let target: Target
    /// Whether the link also shows the landmark's track.
    public let showsTrack: Bool
    public let made: UInt64
    /// The end of validity; nil if it ends by hand only.
    public let expires: UInt64?
    /// The number of points that came by it.
    public let points: UInt64
    /// The last time that points came by it; nil if none did.
    public let used: UInt64?
    /// Whether the phone that brings it is told the positions of others.
    public let locates: Bool

    public var landmark: Landmark.ID? { if case .landmark(let id) = target { id } else { nil } }

    init?(_ wire: WireGrant) throws(InvalidInput) {
        guard let digest = CurveKey(bytes: [UInt8](wire.digest)), [.move, .see].contains(wire.kind) else { return nil }
        (self.digest, kind, label) = (digest, wire.kind == .move ? .move : .see, wire.label)
        (account, user, showsTrack, made) = (wire.account, wire.user, wire.track, wire.made)
        (expires, points) = (wire.expires == 0 ? nil : wire.expires, wire.points)
        (used, locates) = (wire.used == 0 ? nil : wire.used, wire.locates)
        if wire.landmark.isEmpty {
            target = .area(try FeedFilter(encoded: wire.filter))
        } else {
            guard let id = Landmark.ID(bytes: wire.landmark) else { return nil }
            target = .landmark(id)
        }
    }
}
