// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A part of the earth whose landmarks a service holds completely. It tells whether an area is within it, and how far
/// it extends around a place.
///
/// All answers are on the safe side: an area reported as within is within, but an area near the edge may be reported as
/// outside.
public struct Region: Sendable {
    public let area: Area
    /// The edges of the area if it is a polygon; otherwise empty.
    private let edges: [PolygonEdge]

    public init(_ area: Area) {
        self.area = area
        let rings = if case .polygon(let polygon) = area { polygon.rings } else { [[AreaPolygon.Corner]]() }
        edges = rings.flatMap { ring in
            zip(ring, ring.dropFirst() + ring.prefix(1)).map { PolygonEdge($0, $1) }
        }
    }

    /// Returns a lower bound of the distance from a place to the edge, in metres: every place nearer than that is in
    /// the region. 0 if the place is outside, or so near to the edge that nothing is certain.
    ///
    /// - In a circle: the radius minus the distance from the centre to the place. By the triangle inequality, every
    ///   place outside is at least that far away.
    /// - In a box: the distance to the nearest of its parallels and meridians (``LeastDistance``).
    /// - In a polygon: the distance to its nearest edge, which is divided into pieces in balls until these are small
    ///   enough.
    public func margin(at place: Coordinate) -> Double {
        guard area.contains(place) else { return 0 }
        switch area {
        case .circle(let centre, let radius):
            return max(0, radius - Geodesic.distance(from: centre, to: place) - 0.001)
        case .box(let box):
            let least = LeastDistance(from: place)
            var margin = Double.infinity
            if box.north < 90 { margin = min(margin, least.toParallel(box.north)) }
            if box.south > -90 { margin = min(margin, least.toParallel(box.south)) }
            if !box.isAllAround { margin = min(margin, least.toMeridian(box.west), least.toMeridian(box.east)) }
            return margin
        case .polygon: return PolygonEdge.least(of: edges, from: LeastDistance(from: place))
        }
    }

    /// Whether every place of `other` is in the region.
    public func holds(_ other: Area) -> Bool {
        if other == area { return true }
        if case .circle(let centre, let radius) = other, radius < margin(at: centre) { return true }
        return holds(other.bounds)
    }

    public func holds(_ box: AreaBox) -> Bool {
        if case .box(let own) = area { return own.holds(box) }
        var left = 64
        return holds(box.west, box.west <= box.east ? box.east : box.east + 360, box.south, box.north, &left)
    }

    /// Divides an uncertain box into quarters and tests these, until the budget of tests (`left`) is used up.
    private func holds(_ west: Double, _ east: Double, _ south: Double, _ north: Double, _ left: inout Int) -> Bool {
        guard left > 0 else { return false }
        left -= 1
        let ball = SurfaceBall(from: (west, south), to: (east, north))
        let turned = ball.longitude > 180 ? ball.longitude - 360 : ball.longitude
        guard let middle = try? Coordinate(latitude: ball.latitude, longitude: turned) else { return false }
        let margin = margin(at: middle)
        if ball.radius < margin { return true }
        guard margin > 0 else { return false }
        let (x, y) = (ball.longitude, ball.latitude)
        return holds(west, x, south, y, &left) && holds(x, east, south, y, &left) && holds(west, x, y, north, &left)
            && holds(x, east, y, north, &left)
    }
}

extension AreaBox {
    var isAllAround: Bool { west == -180 && east == 180 }

    /// Whether every place of `other` is in this box.
    func holds(_ other: AreaBox) -> Bool {
        guard south <= other.south, other.north <= north else { return false }
        if isAllAround { return true }
        switch (west <= east, other.west <= other.east) {
        case (true, true), (false, false): return west <= other.west && other.east <= east
        case (true, false): return false
        case (false, true): return west <= other.west || other.east <= east
        }
    }
}
