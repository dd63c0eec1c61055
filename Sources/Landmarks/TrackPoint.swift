// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// The place of a moving landmark at one time.
public struct TrackPoint: Hashable, Sendable {
    /// The revision of the change that moved the landmark. Points are ordered by it.
    public var rev: UInt64
    /// The time in Unix milliseconds, as the client reported it. It may differ from the time of the revision.
    public var at: UInt64
    public var coordinate: Coordinate

    public init(rev: UInt64, at: UInt64, coordinate: Coordinate) {
        (self.rev, self.at, self.coordinate) = (rev, at, coordinate)
    }
}
