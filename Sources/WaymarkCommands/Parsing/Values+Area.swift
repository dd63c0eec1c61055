// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkJSON

extension Values {
    /// An area: `SOUTH,WEST,NORTH,EAST` in degrees, with the west greater if it crosses the 180th meridian; or the path
    /// of a GeoJSON file with a polygon.
    static func area(_ text: String) throws -> Area {
        let parts = PositionText.plain(text).split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap(number)
        guard numbers.count != 4 || parts.count != 4 else {
            return .box(try box(numbers))
        }
        // Several parts with a number among them are most likely a mistyped box, not a path.
        guard numbers.isEmpty || parts.count == 1 else { throw BadValue(areaForms) }
        guard let bytes = BoundedFile.read(text, upTo: GeoJSONArea.mostBytes) else { throw BadValue(areaForms) }
        do throws(InvalidInput) { return .polygon(try GeoJSONArea.polygon([UInt8](bytes))) } catch {
            throw BadValue("\(Escaping.visible(text)): \(error)")
        }
    }

    private static func box(_ numbers: [Double]) throws(BadValue) -> AreaBox {
        let box = try BadValue.unless {
            try AreaBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
        }
        // Nobody means all of the world except a strip: west and east are probably exchanged.
        guard box.west <= box.east || 360 - (box.west - box.east) <= widestAcross else {
            throw BadValue(
                "the west, \(Figures.number(box.west)), is east of the east, \(Figures.number(box.east)), so the area would "
                    + "go nearly all around the world: the order is SOUTH,WEST,NORTH,EAST.")
        }
        return box
    }

    /// The greatest width in degrees of a box that crosses the 180th meridian.
    private static let widestAcross = 270.0

    private static let areaForms =
        "an area is SOUTH,WEST,NORTH,EAST in degrees, such as -34,151,-33.5,151.5, or a GeoJSON file that can be read."
}
