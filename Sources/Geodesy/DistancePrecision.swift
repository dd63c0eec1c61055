// SPDX-License-Identifier: Apache-2.0

/// How the distances of an answer are computed. Which rows it has, and their order, is exact either way.
public enum DistancePrecision: Sendable {
    /// Every distance is the very number that ``Geodesic/distance(from:to:)`` gives.
    case exact

    /// Distances up to 20 km are within a micrometre of that number, and much cheaper; they never contradict the order.
    /// The last row's is exact, so that the next page can start after it.
    case micrometre
}
