// SPDX-License-Identifier: Apache-2.0

package import Gazetteer
package import Geodesy
package import Landmarks

/// Writes a town as one of the places that a text may mean.
extension PlaceMatch: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("type", "place")
        writer.fields(place)
        writer.field("match", likeness.rawValue)
        writer.field("attribution", Gazetteer.attribution)
    }
}

extension Place: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("name", name)
        writer.field("label", label)
        writer.position(coordinate)
        writer.field("region", region)
        writer.field("country", country)
        writer.field("country_code", countryCode)
        writer.field("population", UInt64(max(population, 0)))
        writer.field("zone", zone)
    }
}

extension JSONWriter {
    /// Writes a landmark as one of the places that a text may mean.
    package mutating func candidate(_ landmark: Landmark) {
        field("type", "landmark")
        field("id", landmark.id)
        field("name", landmark.name)
        field("label", landmark.name)
        position(landmark.coordinate)
    }

    /// Writes the surroundings of a position. If there are none, the fields of the town are null.
    package mutating func fields(_ surroundings: PlaceSurroundings?, of place: Coordinate) {
        position(place)
        field("dms", PositionText.degreesMinutesSeconds(place))
        field("text", surroundings?.sentence)
        object("town", surroundings?.town)
        object("nearest", surroundings?.nearest)
        field("distance_m", surroundings?.distance)
        field("bearing_deg", surroundings?.bearing)
        field("zone", (surroundings?.nearest ?? surroundings?.town)?.zone)
        field("attribution", Gazetteer.attribution)
    }
}
