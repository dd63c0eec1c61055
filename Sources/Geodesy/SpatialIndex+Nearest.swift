// SPDX-License-Identifier: Apache-2.0

extension SpatialIndex {
    /// The nearest points, in the order of distance, then of key.
    ///
    /// Distances are those that ``Geodesic/distance(from:to:)`` gives from `place` to the point. Time grows with the rows
    /// asked for and the logarithm of the points held, not with how many lie nearer than `minDistance` or `after`; only
    /// when these are beyond about 5,000 km, some of the points at nearly that distance are measured too. There is no
    /// answer, and no error, if a bound is not a number or `maxDistance` is negative.
    ///
    /// - Parameters:
    ///   - place: where to measure from.
    ///   - limit: how many rows at most.
    ///   - maxDistance: rows at this distance in metres are in, rows beyond it are not.
    ///   - minDistance: rows at this distance in metres are in, nearer ones are not.
    ///   - after: the distance and key of the last row of the page before: only rows that come after it in the order.
    ///   - precision: whether every distance must be exact to the last bit. Rows and order are exact in any case.
    /// - Returns: the rows; fewer than `limit` only if there are no more.
    public func nearest(
        to place: Coordinate, limit: Int, maxDistance: Double? = nil, minDistance: Double? = nil,
        after: (distance: Double, key: PointKey)? = nil, precision: DistancePrecision = .exact
    ) -> [Neighbour] {
        search(place, limit, maxDistance, minDistance, after, precision, { _ in true }, { false })
    }

    /// The nearest points that a filter accepts, in the order of distance, then of key.
    ///
    /// As the question without a filter, only that a filter which turns most points down makes the search look at as
    /// many more.
    ///
    /// - Parameters:
    ///   - place: where to measure from.
    ///   - limit: how many rows at most.
    ///   - maxDistance: rows at this distance in metres are in, rows beyond it are not.
    ///   - minDistance: rows at this distance in metres are in, nearer ones are not.
    ///   - after: the distance and key of the last row of the page before: only rows that come after it in the order.
    ///   - precision: whether every distance must be exact to the last bit. Rows and order are exact in any case.
    ///   - accept: whether the point with this payload may be in the answer. Asked at most once for each point.
    /// - Returns: the rows; fewer than `limit` only if there are no more.
    public func nearest(
        to place: Coordinate, limit: Int, maxDistance: Double? = nil, minDistance: Double? = nil,
        after: (distance: Double, key: PointKey)? = nil, precision: DistancePrecision = .exact,
        where accept: (_ payload: UInt32) -> Bool
    ) -> [Neighbour] {
        search(place, limit, maxDistance, minDistance, after, precision, accept, { false })
    }

    /// The same, given up when the filter has turned down more than so many points: where nearly nothing that is near
    /// matches, all of the index may have to be looked at.
    ///
    /// - Returns: nil: it was given up.
    public func nearest(
        to place: Coordinate, limit: Int, maxDistance: Double? = nil, minDistance: Double? = nil,
        after: (distance: Double, key: PointKey)? = nil, precision: DistancePrecision = .exact,
        atMost misses: Int, where accept: (_ payload: UInt32) -> Bool
    ) -> [Neighbour]? {
        var rest = misses
        let rows = search(
            place, limit, maxDistance, minDistance, after, precision,
            { payload in
                if accept(payload) { return true }
                rest -= 1
                return false
            }, { rest < 0 })
        return rest < 0 ? nil : rows
    }

    @inline(__always)
    private func search(
        _ place: Coordinate, _ limit: Int, _ maxDistance: Double?, _ minDistance: Double?,
        _ after: (distance: Double, key: PointKey)?, _ precision: DistancePrecision, _ accept: (UInt32) -> Bool,
        _ isEnough: () -> Bool
    ) -> [Neighbour] {
        guard
            let limits = SearchLimits(
                place, limit: min(limit, count), maxDistance: maxDistance, minDistance: minDistance, after: after)
        else { return [] }
        return withView { view in
            withUnsafeTemporaryAllocation(of: SpatialSearch.Visit.self, capacity: view.depth + 1) { visits in
                withUnsafeTemporaryAllocation(
                    of: SearchCandidates.Candidate.self, capacity: SearchCandidates.storageCount(limits.limit)
                ) { storage in
                    // Both hold trivial values, and nothing reads a place that was not written to: none is initialised.
                    var candidates = SearchCandidates(view, limits, storage: storage)
                    SpatialSearch.run(view, limits, &candidates, visits, accept, isEnough)
                    candidates.finish(precision)
                    return candidates.rows(precision)
                }
            }
        }
    }
}
