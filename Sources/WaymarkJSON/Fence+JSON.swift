// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
package import Landmarks
package import WaymarkClient

/// Writes `id name user account lat lng radius within kinds users sources private created rev`.
extension Fence: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("name", name)
        writer.field("user", user.nilIfEmpty)
        if account > 0 { writer.field("account", account) }
        writer.fields(filter)
        writer.field("private", isPrivate)
        writer.field("created", time: created)
        writer.field("rev", rev)
    }
}

extension JSONWriter {
    /// Writes `lat lng radius within kinds users sources`. A circle has the first three, any other area has `within`:
    /// a box as the text of the query parameter, a polygon as GeoJSON. Empty lists mean any.
    package mutating func fields(_ filter: FeedFilter) {
        var circle: (centre: Coordinate, radius: Double)?
        if case .circle(let centre, let radius)? = filter.area { circle = (centre, radius) }
        field("lat", circle?.centre.latitude)
        field("lng", circle?.centre.longitude)
        field("radius", circle?.radius)
        key("within")
        switch filter.area {
        case .box(let box): value([box.south, box.west, box.north, box.east].map(\.description).joined(separator: ","))
        case .polygon(let polygon): geometry("Polygon") { $0.rings(of: polygon) }
        case .circle, nil: null()
        }
        array("kinds", filter.kinds.sorted())
        array("users", filter.users.sorted())
        array("sources", filter.sources.sorted())
    }

    /// Writes all rings as those of one polygon, because a place is inside if an odd number of them contains it.
    private mutating func rings(of polygon: AreaPolygon) {
        array(polygon.rings) { writer, ring in
            // In GeoJSON the last corner of a ring is its first.
            writer.array(ring + ring.prefix(1)) { writer, corner in
                writer.array([corner.longitude, corner.latitude]) { $0.value($1) }
            }
        }
    }
}
