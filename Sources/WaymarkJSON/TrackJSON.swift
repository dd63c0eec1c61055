// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
package import Landmarks
package import WaymarkClient

/// The JSON of tracks. Programs rely on the keys and their order.
extension JSONWriter {
    /// `rev at lat lng`.
    package mutating func fields(_ point: TrackPoint) {
        field("rev", point.rev)
        field("at", time: point.at)
        field("lat", point.coordinate.latitude)
        field("lng", point.coordinate.longitude)
    }

    /// `id track next`: the points, and the revision after which the next page begins.
    package mutating func fields(_ page: TrackPage, of id: Landmark.ID) {
        field("id", id)
        key("track")
        array(page.points) { writer, point in writer.object { $0.fields(point) } }
        field("next", page.next)
    }
}

extension GeoJSON {
    /// A feature without a newline: no geometry, a point, or one line or several, cut where they cross the 180th meridian, as RFC
    /// 7946 wants it. The times are in `coordTimes`, nested as the coordinates are; at a cut the time is that of the point
    /// before it.
    package static func track(_ points: [TrackPoint], of landmark: Landmark) -> [UInt8] {
        let lines = TrackLine.cut(points)
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("type", "Feature")
            writer.field("id", landmark.id)
            writer.key("geometry")
            switch (lines.count, points.count) {
            case (_, 0): writer.null()
            case (_, 1): geometry("Point", &writer) { place(points[0], &$0) }
            case (1, _): geometry("LineString", &writer) { $0.array(lines[0]) { place($1, &$0) } }
            default:
                geometry("MultiLineString", &writer) { writer in
                    writer.array(lines) { writer, line in writer.array(line) { place($1, &$0) } }
                }
            }
            writer.key("properties")
            writer.object { writer in
                writer.field("name", landmark.name)
                writer.field("user", landmark.user.nilIfEmpty)
                writer.field("kind", landmark.kind.nilIfEmpty)
                writer.key("coordTimes")
                if lines.count > 1 {
                    writer.array(lines) { writer, line in writer.array(line) { $0.value(time: $1.at) } }
                } else {
                    writer.array(points) { $0.value(time: $1.at) }
                }
            }
        }
        return writer.bytes
    }

    private static func geometry(_ type: String, _ writer: inout JSONWriter, _ coordinates: (inout JSONWriter) -> Void)
    {
        writer.object {
            $0.field("type", type)
            $0.key("coordinates")
            coordinates(&$0)
        }
    }

    private static func place(_ point: TrackPoint, _ writer: inout JSONWriter) {
        writer.array([point.coordinate.longitude, point.coordinate.latitude]) { $0.value($1) }
    }
}

/// A track as lines on a map.
enum TrackLine {
    /// The points as lines that do not cross the 180th meridian. A crossing takes the shorter way round, and its latitude is
    /// that of a straight line in longitude and latitude.
    static func cut(_ points: [TrackPoint]) -> [[TrackPoint]] {
        guard var last = points.first else { return [] }
        var (lines, line) = ([[TrackPoint]](), [last])
        for point in points.dropFirst() {
            let (from, to) = (last.coordinate, point.coordinate)
            let step = to.longitude - from.longitude
            if abs(step) > 180 {
                let edge: Double = step < 0 ? 180 : -180
                let whole = 360 - abs(step)
                let share = whole > 0 ? abs(edge - from.longitude) / whole : 0
                let latitude = from.latitude + (to.latitude - from.latitude) * share
                for (longitude, isEnd) in [(edge, true), (-edge, false)] {
                    // Between two valid latitudes, so it is a position.
                    if let place = try? Coordinate(latitude: latitude, longitude: longitude) {
                        line.append(TrackPoint(rev: last.rev, at: last.at, coordinate: place))
                    }
                    if isEnd {
                        lines.append(line)
                        line = []
                    }
                }
            }
            line.append(point)
            last = point
        }
        return lines + [line]
    }
}
