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
    public let target: Target
    private let wire: WireGrant

    public var kind: Kind { wire.kind == .move ? .move : .see }
    public var label: String { wire.label }
    /// The number of the account that owns the grant; 0 if nobody does.
    public var account: UInt64 { wire.account }
    /// The user or account that made the grant, by the name of that time.
    public var user: String { wire.user }
    /// Whether the link also shows the landmark's track.
    public var showsTrack: Bool { wire.track }
    public var made: UInt64 { wire.made }
    /// The end of validity; nil if it ends by hand only.
    public var expires: UInt64? { wire.expires == 0 ? nil : wire.expires }
    /// The number of points that came by it.
    public var points: UInt64 { wire.points }
    /// The last time that points came by it; nil if none did.
    public var used: UInt64? { wire.used == 0 ? nil : wire.used }
    /// Whether the phone that brings it is told the positions of others.
    public var locates: Bool { wire.locates }
    public var landmark: Landmark.ID? { if case .landmark(let id) = target { id } else { nil } }

    init?(_ wire: WireGrant) throws(InvalidInput) {
        guard let digest = CurveKey(bytes: [UInt8](wire.digest)), [.move, .see].contains(wire.kind) else { return nil }
        (self.wire, self.digest) = (wire, digest)
        if wire.landmark.isEmpty {
            target = .area(try FeedFilter(encoded: wire.filter))
        } else {
            guard let id = Landmark.ID(bytes: wire.landmark) else { return nil }
            target = .landmark(id)
        }
    }
}
