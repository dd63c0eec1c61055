// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
package import WaymarkClient

/// Writes `rev at lat lng`, and `accuracy` and `speed` where they are known.
extension TrackPoint: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("rev", rev)
        writer.field("at", time: at)
        writer.position(coordinate)
        if let accuracy { writer.field("accuracy", accuracy) }
        if let speed { writer.field("speed", speed) }
    }
}

extension JSONWriter {
    /// Writes `id track next`: the points, and the time (Unix milliseconds) after which the next page begins.
    package mutating func fields(_ page: TrackPage, of id: Landmark.ID) {
        field("id", id)
        array("track", page.points)
        field("next", page.next)
    }
}

extension GeoJSON {
    /// Returns a feature without a newline. Its geometry is null, a point, a line, or several lines, because RFC 7946
    /// asks to cut lines where they cross the 180th meridian. The times are in `coordTimes`, nested like the
    /// coordinates. A point added by a cut has the time of the point before it.
    package static func track(_ points: [TrackPoint], of landmark: Landmark) -> [UInt8] {
        let lines = TrackLine.cut(points)
        func place(_ writer: inout JSONWriter, _ point: TrackPoint) { writer.corner(point.coordinate) }
        func time(_ writer: inout JSONWriter, _ point: TrackPoint) { writer.value(time: point.at) }
        return feature(landmark.id) { writer in
            switch (lines.count, points.count) {
            case (_, 0): writer.null()
            case (_, 1): writer.geometry("Point") { place(&$0, points[0]) }
            case (1, _): writer.geometry("LineString") { $0.array(lines[0], place) }
            default: writer.geometry("MultiLineString") { $0.array(lines) { $0.array($1, place) } }
            }
        } properties: { writer in
            writer.field("name", landmark.name)
            writer.field("user", landmark.user.nilIfEmpty)
            writer.field("kind", landmark.kind.nilIfEmpty)
            writer.key("coordTimes")
            if lines.count > 1 { writer.array(lines) { $0.array($1, time) } } else { writer.array(points, time) }
        }
    }
}

/// Converts a track to lines on a map.
enum TrackLine {
    /// Returns the points as lines that do not cross the 180th meridian. Between two points the track goes the shorter
    /// way round, in a straight line of longitude and latitude, which gives the latitude of a crossing.
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
                let crossing = [edge, -edge].compactMap { longitude in
                    // This cannot fail, because the latitude is between two valid latitudes.
                    (try? Coordinate(latitude: latitude, longitude: longitude))
                        .map { TrackPoint(rev: last.rev, at: last.at, coordinate: $0) }
                }
                lines.append(line + crossing.prefix(1))
                line = Array(crossing.dropFirst())
            }
            line.append(point)
            last = point
        }
        return lines + [line]
    }
}
