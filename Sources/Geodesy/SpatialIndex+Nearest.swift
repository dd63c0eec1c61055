// SPDX-License-Identifier: Apache-2.0

extension SpatialIndex {
    /// Returns the nearest points, ordered by distance, then by key.
    ///
    /// Distances equal those of ``Geodesic/distance(from:to:)`` from `place` to the point. The time grows with the
    /// number of requested rows and the logarithm of the number of points. Points nearer than `minDistance` or `after`
    /// cost nothing, unless these bounds exceed about 5,000 km; then some of the points at nearly that distance are
    /// measured too. If a bound is NaN or `maxDistance` is negative, the answer is empty, which is not an error.
    ///
    /// - Parameters:
    ///   - place: the place to measure from.
    ///   - limit: the maximum number of rows.
    ///   - maxDistance: the maximum distance of a row in metres, inclusive.
    ///   - minDistance: the minimum distance of a row in metres, inclusive.
    ///   - after: the distance and key of the last row of the page before. Only rows that come after it in the order
    ///     are returned.
    ///   - precision: the precision of distances and bearings. The rows and their order are exact in any case.
    /// - Returns: the rows: `limit` of them, or fewer if no more exist.
    public func nearest(
        to place: Coordinate, limit: Int, maxDistance: Double? = nil, minDistance: Double? = nil,
        after: (distance: Double, key: PointKey)? = nil, precision: DistancePrecision = .exact
    ) -> [Neighbour] {
        search(place, limit, maxDistance, minDistance, after, precision, { _ in true }, { false })
    }

    /// Returns the nearest points that a filter accepts, ordered by distance, then by key.
    ///
    /// The search is the same as without a filter. If the filter rejects most points, it examines proportionally more.
    ///
    /// - Parameters:
    ///   - place: the place to measure from.
    ///   - limit: the maximum number of rows.
    ///   - maxDistance: the maximum distance of a row in metres, inclusive.
    ///   - minDistance: the minimum distance of a row in metres, inclusive.
    ///   - after: the distance and key of the last row of the page before. Only rows that come after it in the order
    ///     are returned.
    ///   - precision: the precision of distances and bearings. The rows and their order are exact in any case.
    ///   - misses: the maximum number of points that the filter may reject before the search is abandoned. Without it,
    ///     the search could visit the whole index where hardly any near point matches.
    ///   - accept: whether the answer may contain the point with this payload. Called at most once for each point.
    /// - Returns: the rows: `limit` of them, or fewer if no more exist; nil if the search was abandoned.
    public func nearest(
        to place: Coordinate, limit: Int, maxDistance: Double? = nil, minDistance: Double? = nil,
        after: (distance: Double, key: PointKey)? = nil, precision: DistancePrecision = .exact,
        atMost misses: Int = .max, where accept: (_ payload: UInt32) -> Bool
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
                    // Both buffers hold trivial types, and only elements that were written to are read, so no
                    // initialization is needed.
                    var candidates = SearchCandidates(view, limits, storage: storage)
                    SpatialSearch.run(view, limits, &candidates, visits, accept, isEnough)
                    candidates.finish(precision)
                    return candidates.rows(precision)
                }
            }
        }
    }
}
