// SPDX-License-Identifier: Apache-2.0

/// Makes the rows of an answer from sorted candidates.
extension SearchCandidates {
    /// Makes one row. A type of its own, so that making a row copies no candidates.
    struct RowMaker {
        let view: SpatialView
        let place: Coordinate
        let precision: DistancePrecision
        /// The position of the queried place, in metres.
        let start: SIMD4<Double>
        let compass: Compass

        @inline(__always)
        func row(_ candidate: Candidate) -> Neighbour {
            Neighbour(
                key: view.key(candidate.reference), payload: view.payload(candidate.reference),
                coordinate: view.coordinate(candidate.reference), distance: candidate.distance,
                bearing: bearing(candidate))
        }

        @inline(__always)
        private func bearing(_ candidate: Candidate) -> Double {
            guard precision == .micrometre, candidate.distance > Compass.bearingReach + 1,
                candidate.distance < SectionLine.reach
            else { return Geodesic.inverse(from: place, to: view.coordinate(candidate.reference)).azimuth }
            return compass.bearing(of: view.position(candidate.reference) - start)
        }
    }

    /// Makes the rows of the answer.
    func rows(_ precision: DistancePrecision) -> [Neighbour] {
        // With capacity 0 the initializer would write a 0 to the storage that all empty arrays share: a data race.
        guard count > 0 else { return [] }
        let maker = RowMaker(
            view: view, place: limits.place, precision: precision, start: limits.query / Cartesian.unitsPerMetre,
            compass: Compass(at: limits.place))
        let (storage, count) = (storage, count)
        return [Neighbour](unsafeUninitializedCapacity: count) { rows, filled in
            for index in 0..<count { rows.initializeElement(at: index, to: maker.row(storage[index])) }
            filled = count
        }
    }
}
