// SPDX-License-Identifier: Apache-2.0
#include "CGeographicLib.h"

#include <GeographicLib/Geodesic.hpp>

using GeographicLib::Geodesic;

double waymark_geodesic_distance(double latitude1, double longitude1, double latitude2, double longitude2) {
    double distance;
    Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, distance);
    return distance;
}

double waymark_geodesic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2, double *azimuth1) {
    double distance, azimuth2;
    Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, distance, *azimuth1, azimuth2);
    return distance;
}

void waymark_geodesic_direct(
    double latitude1, double longitude1, double azimuth1, double distance, double *latitude2, double *longitude2) {
    Geodesic::WGS84().Direct(latitude1, longitude1, azimuth1, distance, *latitude2, *longitude2);
}
