// SPDX-License-Identifier: Apache-2.0

import Geodesy
public import Landmarks

extension WireTrackPoint {
    public init(_ point: TrackPoint) {
        self.init()
        (rev, at) = (point.rev, point.at)
        (lat, lng) = (point.coordinate.latitude, point.coordinate.longitude)
    }
}

extension TrackPoint {
    /// - Throws: the reason why it is not a point of a track.
    public init(_ wire: WireTrackPoint) throws(InvalidInput) {
        self.init(
            rev: wire.rev, at: try UnixTime.checked(wire.at, "time of a move"),
            coordinate: try Coordinate(wireLatitude: wire.lat, longitude: wire.lng))
    }
}
