// SPDX-License-Identifier: Apache-2.0

import Geodesy
public import Landmarks

extension WireTrackPoint {
    public init(_ point: TrackPoint) {
        self.init()
        (rev, at) = (point.rev, point.at)
        (lat, lng) = (point.coordinate.latitude, point.coordinate.longitude)
        if let accuracy = point.accuracy { self.accuracy = accuracy }
        if let speed = point.speed { self.speed = speed }
    }
}

extension TrackPoint {
    /// - Throws: the reason why it is not a point of a track.
    public init(_ wire: WireTrackPoint) throws(InvalidInput) {
        self.init(
            rev: wire.rev, at: try UnixTime.checked(wire.at, "time of a move"),
            coordinate: try Coordinate(wireLatitude: wire.lat, longitude: wire.lng),
            accuracy: wire.hasAccuracy ? Self.measure(wire.accuracy) : nil,
            speed: wire.hasSpeed ? Self.measure(wire.speed) : nil)
    }

    /// A measured value; nil if it is none. A phone that knows no speed may send -1.
    private static func measure(_ value: Double) -> Double? {
        (0...1e9).contains(value) ? value : nil
    }
}
