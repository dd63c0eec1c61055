// SPDX-License-Identifier: Apache-2.0

/// The precision of the distances and bearings in an answer. The rows and their order are exact in any case.
public enum DistancePrecision: Sendable {
    /// Every distance and bearing equals the result of ``Geodesic/inverse(from:to:)`` to the last bit.
    case exact

    /// From 11 m to 300 km, distances are within a micrometre of the exact values and bearings within a millionth of a
    /// degree. They cost much less to compute, and the distances never contradict the order of the rows.
    ///
    /// A request for the next page must carry the exact distance of the last row, not the approximate one.
    case micrometre
}
