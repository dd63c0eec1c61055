// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// A page of a landmark's track.
public struct TrackPage: Sendable, Hashable {
    /// The points in the order of their revisions.
    public var points: [TrackPoint]
    /// The revision after which the next page begins; nil on the last page.
    public var next: UInt64?

    init?(_ wire: WireTrackPage, after rev: UInt64) {
        // Refuse a page that does not advance, because the client would ask forever.
        guard wire.next == 0 || wire.next > rev, let points = try? wire.points.map({ point in try TrackPoint(point) })
        else { return nil }
        (self.points, next) = (points, wire.next == 0 ? nil : wire.next)
    }
}

extension WaymarkClient {
    /// Returns a page of a landmark's track, which consists of the places to which the landmark was moved. A page may
    /// be empty although there are more pages.
    ///
    /// - Parameters:
    ///   - since: returns only points of this time or later, in Unix milliseconds.
    ///   - rev: returns only points after this revision, which is ``TrackPage/next`` of the previous page.
    ///   - limit: the maximum number of points, 1 to 10,000.
    public func track(
        of id: Landmark.ID, since: UInt64 = 0, after rev: UInt64 = 0, limit: Int = 1_000
    ) async throws(ClientError) -> TrackPage {
        let track = WireTrack.with {
            ($0.id, $0.since, $0.after, $0.limit) = (id.wire, since, rev, UInt32(clamping: limit))
        }
        return try await ask(.with { $0.track = track }, \.track) { TrackPage($0, after: rev) }
    }
}
