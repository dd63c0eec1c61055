// SPDX-License-Identifier: Apache-2.0

package import Gazetteer
package import Geodesy
package import Landmarks

extension JSONWriter {
    /// A place of the gazetteer that a text may mean.
    package mutating func fields(_ match: PlaceMatch) {
        field("type", "place")
        fields(match.place)
        field("match", match.likeness.rawValue)
        field("attribution", Gazetteer.attribution)
    }

    /// A landmark that a text may mean.
    package mutating func candidate(_ landmark: Landmark) {
        field("type", "landmark")
        field("id", landmark.id.description)
        field("name", landmark.name)
        field("label", landmark.name)
        field("lat", landmark.coordinate.latitude)
        field("lng", landmark.coordinate.longitude)
    }

    /// Where a position is. Without surroundings, the members of the town are null.
    package mutating func fields(_ surroundings: PlaceSurroundings?, of position: Coordinate) {
        field("lat", position.latitude)
        field("lng", position.longitude)
        field("dms", PositionText.degreesMinutesSeconds(position))
        key("text")
        if let surroundings { value(surroundings.sentence) } else { null() }
        key("town")
        if let surroundings { object { $0.fields(surroundings.town) } } else { null() }
        key("nearest")
        if let nearest = surroundings?.nearest { object { $0.fields(nearest) } } else { null() }
        key("distance_m")
        if let surroundings { value(surroundings.distance) } else { null() }
        key("bearing_deg")
        if let surroundings { value(surroundings.bearing) } else { null() }
        key("zone")
        if let zone = (surroundings?.nearest ?? surroundings?.town)?.zone { value(zone) } else { null() }
        field("attribution", Gazetteer.attribution)
    }

    private mutating func fields(_ place: Place) {
        field("name", place.name)
        field("label", place.label)
        field("lat", place.coordinate.latitude)
        field("lng", place.coordinate.longitude)
        key("region")
        if let region = place.region { value(region) } else { null() }
        field("country", place.country)
        field("country_code", place.countryCode)
        field("population", UInt64(max(place.population, 0)))
        key("zone")
        if let zone = place.zone { value(zone) } else { null() }
    }
}
