// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks
import WaymarkProtocol

/// A page of a landmark's track.
public struct TrackPage: Sendable, Hashable {
    /// In the order of their revisions.
    public var points: [TrackPoint]
    /// The revision after which the next page begins; nil on the last page.
    public var next: UInt64?
}

extension WaymarkClient {
    /// Says where a landmark is now, and adds a point to its track.
    ///
    /// - Parameter time: when it was there, in Unix milliseconds; nil: now, by storage's clock.
    public func move(
        _ id: Landmark.ID, to place: Coordinate, at time: UInt64? = nil
    ) async throws(ClientError) -> Written {
        try await write(.moving(id, to: place, at: time))
    }

    /// A page of where a landmark has been, by its moves. A page may be empty although there are more.
    ///
    /// - Parameters:
    ///   - since: only points of this time and later, in Unix milliseconds.
    ///   - rev: only points after this revision: ``TrackPage/next`` of the page before.
    ///   - limit: 1 to 10,000.
    public func track(
        of id: Landmark.ID, since: UInt64 = 0, after rev: UInt64 = 0, limit: Int = 1_000
    ) async throws(ClientError) -> TrackPage {
        let request = WireRequest.with {
            $0.track = .with {
                ($0.id, $0.since, $0.after) = (id.wire, since, rev)
                $0.limit = UInt32(clamping: limit)
            }
        }
        guard case .track(let page)? = try await send(request).1.result else {
            throw .unreadableAnswer("track")
        }
        do throws(InvalidInput) {
            let points = try page.points.map { (wire) throws(InvalidInput) in try TrackPoint(wire) }
            // A service that does not get on would be asked for ever.
            guard page.next == 0 || page.next > rev else { throw .missing("a later revision") }
            return TrackPage(points: points, next: page.next == 0 ? nil : page.next)
        } catch {
            throw .unreadableAnswer("track")
        }
    }
}

extension WireRequest {
    package static func moving(_ id: Landmark.ID, to place: Coordinate, at time: UInt64?) -> WireRequest {
        .with {
            $0.move = .with {
                $0.id = id.wire
                $0.at = .with { ($0.lat, $0.lng) = (place.latitude, place.longitude) }
                $0.time = time ?? 0
            }
        }
    }
}
