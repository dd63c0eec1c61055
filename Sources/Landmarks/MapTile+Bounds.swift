// SPDX-License-Identifier: Apache-2.0

package import Geodesy
import Glibc

extension MapTile {
    /// A box that contains every place of the tile. The box is slightly larger, because the formula that puts a
    /// coordinate on the map rounds differently.
    package var bounds: AreaBox? {
        let side = Double(UInt64(1) << UInt64(zoom))
        let more = 1e-7
        let (north, south) = (latitude(Double(row) / side), latitude(Double(row + 1) / side))
        let west = Double(column) / side * 360 - 180
        return try? AreaBox(
            south: max(-90, south - more), west: max(-180, west - more), north: min(90, north + more),
            east: min(180, west + 360 / side + more))
    }

    /// Returns the latitude in degrees of a row of the map, given as a fraction from 0 (upper edge) to 1 (lower edge).
    private func latitude(_ down: Double) -> Double { atan(sinh(.pi * (1 - 2 * down))) * 180 / .pi }
}
