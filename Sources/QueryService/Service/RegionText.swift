// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
import JSON
internal import Landmarks
import Settings

/// Reads the setting `replica.within`: `SOUTH,WEST,NORTH,EAST` in degrees, `LAT,LNG,RADIUS` with a radius in m or km,
/// or the absolute path of a GeoJSON file with a polygon.
enum RegionText {
    /// - Parameter setting: the setting's name, for errors.
    static func region(_ text: String, setting: String) throws(Unusable) -> Region {
        do throws(InvalidInput) {
            let filter = FeedFilter(area: try area(text))
            // The area is encoded and decoded, so that it is exactly the area that services send each other.
            guard let sent = try FeedFilter(filter.wire).area else { throw .missing("an area") }
            return Region(sent)
        } catch {
            throw Unusable("\(setting): \(error)")
        }
    }

    private static func area(_ text: String) throws(InvalidInput) -> Area {
        if text.hasPrefix("/") { return .polygon(try polygon(text)) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        let numbers = parts.compactMap { DecimalText.number($0) }
        if parts.count == 4, numbers.count == 4 {
            return .box(try AreaBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3]))
        }
        guard parts.count == 3, numbers.count == 2, let radius = metres(parts[2]) else {
            throw .outOfRange(
                "region",
                "SOUTH,WEST,NORTH,EAST in degrees, LAT,LNG,RADIUS such as -33.86,151.21,50km, or the absolute path of a "
                    + "GeoJSON file")
        }
        return try .circle(
            at: try Coordinate(wireLatitude: numbers[0], longitude: numbers[1]), radius: radius)
    }

    private static func metres(_ text: String) -> Double? {
        if text.hasSuffix("km") { return DecimalText.number(text.dropLast(2)).map { $0 * 1_000 } }
        return text.hasSuffix("m") ? DecimalText.number(text.dropLast()) : nil
    }

    private static func polygon(_ path: String) throws(InvalidInput) -> AreaPolygon {
        guard let handle = try? Data(contentsOf: URL(filePath: path)), handle.count <= GeoJSONArea.mostBytes else {
            throw .outOfRange("region", "a GeoJSON file that can be read, of at most \(GeoJSONArea.mostBytes) bytes")
        }
        do throws(InvalidInput) { return try GeoJSONArea.polygon([UInt8](handle)) } catch {
            throw .outOfRange("region", "a GeoJSON polygon: \(error)")
        }
    }
}
