// SPDX-License-Identifier: Apache-2.0

/// How the distances and bearings of an answer are computed. Which rows it has, and their order, is exact either way.
public enum DistancePrecision: Sendable {
    /// Every distance and bearing is the very number that ``Geodesic/inverse(from:to:)`` gives.
    case exact

    /// From 11 m to 300 km distances are within a micrometre of that number and bearings within a millionth of a degree,
    /// and both are much cheaper; distances never contradict the order.
    ///
    /// A page that starts after such a row has to be asked for with the row's exact distance.
    case micrometre
}
