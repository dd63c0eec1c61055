// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

extension JSONWriter {
    /// Writes `distance_m bearing_deg from to`.
    ///
    /// - Parameters:
    ///   - from: the first place, as the request named it.
    ///   - to: the second place, as the request named it.
    package mutating func fields(_ separation: Separation, from: PlaceReference, to: PlaceReference) {
        field("distance_m", separation.distance)
        field("bearing_deg", separation.bearing)
        place("from", from, separation.from)
        place("to", to, separation.to)
    }

    private mutating func place(_ name: String, _ place: PlaceReference, _ landmark: Landmark?) {
        guard case .point(let coordinate) = place else { return object(name, landmark) }
        object(name) { $0.position(coordinate) }
    }
}
