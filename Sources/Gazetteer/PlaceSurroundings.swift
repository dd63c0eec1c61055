// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// A description of a position by the gazetteer. It never includes a street or a house.
public struct PlaceSurroundings: Sendable, Hashable {
    /// The nearest place; nil if it is ``town``.
    public let nearest: Place?
    /// The town that the position belongs to.
    public let town: Place
    /// The distance from the town to the position, in metres.
    public let distance: Double
    /// The bearing from the town to the position, in degrees clockwise from north.
    public let bearing: Double

    /// The distance from a town's middle, in metres, below which a direction has no meaning.
    private static let middle = 500.0

    /// The position in words, such as `near Milsons Point, 1.2 km NNW of Sydney, New South Wales, Australia`.
    public var sentence: String {
        let direction = Geodesic.compassPoint(bearing)
        let town = distance < Self.middle ? "near \(town.label)" : "\(length) \(direction) of \(town.label)"
        guard let nearest else { return town }
        return distance < Self.middle ? town : "near \(nearest.name), \(town)"
    }

    private var length: String {
        let hundreds = Int((distance / 100).rounded())
        return hundreds < 100 ? "\(hundreds / 10).\(hundreds % 10) km" : "\(Int((distance / 1_000).rounded())) km"
    }
}
