// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Reads an area from GeoJSON (RFC 7946): a Polygon or a MultiPolygon, alone, as a Feature, or as the only feature of a
/// FeatureCollection.
package enum GeoJSONArea {
    /// The maximum size of the text of an area, in bytes.
    package static let mostBytes = 1024 * 1024

    package static func polygon(_ bytes: [UInt8]) throws(InvalidInput) -> AreaPolygon {
        guard bytes.count <= mostBytes else {
            throw .coordinate("The GeoJSON is larger than 1 MiB: simplify the area.")
        }
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(bytes) } catch {
            throw .coordinate("The area is not GeoJSON: \(error)")
        }
        return try polygon(value)
    }

    package static func polygon(_ value: JSONValue) throws(InvalidInput) -> AreaPolygon {
        let geometry = try geometry(value)
        let coordinates = geometry["coordinates"]?.elements ?? []
        let rings: [[AreaPolygon.Corner]]
        switch geometry["type"]?.text {
        case "Polygon": rings = try coordinates.map(ring)
        case "MultiPolygon": rings = try coordinates.flatMap { $0.elements ?? [] }.map(ring)
        default: throw .coordinate("The GeoJSON holds no area: its type must be Polygon or MultiPolygon.")
        }
        return try AreaPolygon(rings: rings)
    }

    private static func geometry(_ value: JSONValue) throws(InvalidInput) -> JSONValue {
        switch value["type"]?.text {
        case "FeatureCollection":
            guard let features = value["features"]?.elements, features.count == 1 else {
                throw .coordinate("The FeatureCollection does not hold exactly one feature: leave only the area.")
            }
            return features[0]["geometry"] ?? .null
        case "Feature": return value["geometry"] ?? .null
        default: return value
        }
    }

    private static func ring(_ value: JSONValue) throws(InvalidInput) -> [AreaPolygon.Corner] {
        var corners: [AreaPolygon.Corner] = []
        for position in value.elements ?? [] {
            // Longitude comes first (RFC 7946, 3.1.1). An altitude may follow the latitude.
            guard let numbers = position.elements, numbers.count >= 2, case .number(let longitude) = numbers[0],
                case .number(let latitude) = numbers[1], let longitude = Double(longitude),
                let latitude = Double(latitude)
            else { throw .coordinate("A corner of the area is not [longitude, latitude]: correct it.") }
            corners.append(AreaPolygon.Corner(longitude: longitude, latitude: latitude))
        }
        return corners
    }
}
