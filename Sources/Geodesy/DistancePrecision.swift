// SPDX-License-Identifier: Apache-2.0

/// The precision of an answer's distances and bearings. The set of rows and their order are exact in both cases.
public enum DistancePrecision: Sendable {
    /// Every distance and bearing equals the result of ``Geodesic/inverse(from:to:)`` to the last bit.
    case exact

    /// From 11 m to 300 km distances are within a micrometre of the exact ones and bearings within a millionth of a
    /// degree. Both cost much less, and the distances never contradict the order.
    ///
    /// A request for the next page must carry the exact distance of the last row, not the approximate one.
    case micrometre
}
