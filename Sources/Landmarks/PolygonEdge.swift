// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// An edge of a polygon, or a piece of an edge, with a ball that contains it. Edges are straight on a flat map.
struct PolygonEdge: Sendable {
    private let from: AreaPolygon.Corner
    private let to: AreaPolygon.Corner
    private let ball: SurfaceBall

    init(_ from: AreaPolygon.Corner, _ to: AreaPolygon.Corner) {
        (self.from, self.to) = (from, to)
        ball = SurfaceBall(from: (from.longitude, from.latitude), to: (to.longitude, to.latitude))
    }

    /// Returns a lower bound of the distance from a place to all edges, in metres.
    static func least(of edges: [PolygonEdge], from place: LeastDistance) -> Double {
        var least = Double.infinity
        // The edge that seems nearest comes first, so that most other edges are soon found to be farther away.
        guard let first = edges.min(by: { place.to($0.ball) < place.to($1.ball) }) else { return 0 }
        first.lower(&least, from: place)
        for edge in edges { edge.lower(&least, from: place) }
        return least
    }

    private func lower(_ least: inout Double, from place: LeastDistance) {
        let bound = place.to(ball)
        guard bound < least else { return }
        // A ball of one metre, or of a hundredth of the distance, is as accurate as the edge itself.
        guard ball.radius > max(1, bound / 100) else {
            least = bound
            return
        }
        let middle = AreaPolygon.Corner(longitude: ball.longitude, latitude: ball.latitude)
        let halves = [PolygonEdge(from, middle), PolygonEdge(middle, to)]
        let isSecondNearer = place.to(halves[1].ball) < place.to(halves[0].ball)
        halves[isSecondNearer ? 1 : 0].lower(&least, from: place)
        halves[isSecondNearer ? 0 : 1].lower(&least, from: place)
    }
}
