// SPDX-License-Identifier: Apache-2.0

import Ingest
import Landmarks
import WaymarkJSON

extension Values {
    /// `SOUTH,WEST,NORTH,EAST` in degrees, or the path of a GeoJSON file with a polygon.
    static func area(_ text: String) throws -> Area {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap(number)
        guard numbers.count != 4 || parts.count != 4 else {
            do throws(InvalidInput) {
                return .box(try AreaBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3]))
            } catch {
                throw BadValue(error.description)
            }
        }
        // Most likely a mistyped box.
        guard numbers.isEmpty || parts.count == 1 else { throw BadValue(areaForms) }
        guard let bytes = BoundedFile.read(text, upTo: GeoJSONArea.mostBytes) else { throw BadValue(areaForms) }
        do throws(GeoJSONAreaError) { return .polygon(try GeoJSONArea.polygon([UInt8](bytes))) } catch {
            throw BadValue("\(Escaping.visible(text)): \(error)")
        }
    }

    private static let areaForms =
        "an area is SOUTH,WEST,NORTH,EAST in degrees, such as -34,151,-33.5,151.5, or a GeoJSON file that can be read."
}
