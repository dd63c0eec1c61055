// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// The place of a moving landmark at one time.
public struct TrackPoint: Hashable, Sendable {
    /// The revision that the point made, or that the landmark had when the point came.
    public var rev: UInt64
    /// The time in Unix milliseconds, as the client reported it. The points of a track are ordered by it, and no
    /// two have the same. It may differ from the time of the revision.
    public var at: UInt64
    public var coordinate: Coordinate

    /// The accuracy in metres; nil if it was not told.
    public var accuracy: Double?
    /// The speed in metres a second; nil if it was not told.
    public var speed: Double?

    public init(rev: UInt64, at: UInt64, coordinate: Coordinate, accuracy: Double? = nil, speed: Double? = nil) {
        (self.rev, self.at, self.coordinate) = (rev, at, coordinate)
        (self.accuracy, self.speed) = (accuracy, speed)
    }
}
