// SPDX-License-Identifier: Apache-2.0
#pragma once

// The few calls of GeographicLib's C++ class Geodesic that Geodesy needs, on WGS84, with C linkage. Degrees and metres.
// GeographicLib does not throw from these: an argument outside its domain gives NaN.

#ifdef __cplusplus
extern "C" {
#endif

/// The length of the shortest path between two points, in metres.
double waymark_geodesic_distance(double latitude1, double longitude1, double latitude2, double longitude2);

/// The same, and the azimuth at the first point, in degrees clockwise from north, in [-180, 180].
double waymark_geodesic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2, double *azimuth1);

/// The point reached from a point after `distance` metres in the direction `azimuth`.
void waymark_geodesic_direct(
    double latitude1, double longitude1, double azimuth1, double distance, double *latitude2, double *longitude2);

#ifdef __cplusplus
}
#endif
