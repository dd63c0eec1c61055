// SPDX-License-Identifier: Apache-2.0
#pragma once

// The calls of GeographicLib's C++ class Geodesic that the Geodesy target needs, on WGS84, with C linkage. Angles are
// in degrees, lengths in metres. GeographicLib does not throw from these calls: an argument outside its domain gives
// NaN.

#ifdef __cplusplus
extern "C" {
#endif

/// The length of the shortest path between two points, in metres.
double waymark_geodesic_distance(double latitude1, double longitude1, double latitude2, double longitude2);

/// The same length, and the azimuth at the first point, in degrees clockwise from north, in [-180, 180].
double waymark_geodesic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2, double *azimuth1);

/// The point `distance` metres from a point in the direction `azimuth1`.
void waymark_geodesic_direct(
    double latitude1, double longitude1, double azimuth1, double distance, double *latitude2, double *longitude2);

#ifdef __cplusplus
}
#endif
