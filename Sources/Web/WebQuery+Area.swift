// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import Ingest
internal import Landmarks

extension WebQuery {
    static let withinHelp = "SOUTH,WEST,NORTH,EAST in degrees, or a GeoJSON polygon: only within it, edges included."

    /// The area that the parameter `within` names; nil without it.
    func within() throws(Problem) -> Area? {
        guard let text = text("within") else { return nil }
        if text.hasPrefix("{") {
            do throws(GeoJSONAreaError) { return .polygon(try GeoJSONArea.polygon(Array(text.utf8))) } catch {
                throw Problem.invalid("\(error)")
            }
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { DecimalText.number($0) }
        guard parts.count == 4, numbers.count == 4 else {
            throw Problem.invalid("The parameter within is SOUTH,WEST,NORTH,EAST in degrees, or a GeoJSON polygon.")
        }
        do throws(InvalidInput) {
            return .box(try AreaBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3]))
        } catch {
            throw Problem(error)
        }
    }
}
