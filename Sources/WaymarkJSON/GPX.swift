// SPDX-License-Identifier: Apache-2.0

package import Landmarks
internal import WaymarkClient
internal import WaymarkProtocol

/// Writes tracks and waypoints as GPX 1.1 (<https://www.topografix.com/GPX/1/1/>), which map programs and GPS devices
/// read.
package enum GPX {
    static let beginning =
        XMLText.declaration
        + "<gpx version=\"1.1\" creator=\"Waymark\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n"
    static let end = "</gpx>\n"

    /// Returns a GPX document with one track.
    package static func document(_ points: [TrackPoint], of landmark: Landmark) -> [UInt8] {
        var text = beginning + "<trk>\n\(XMLText.element("name", landmark.name))\n<trkseg>\n"
        for point in points {
            text +=
                "<trkpt\(place(point.coordinate.latitude, point.coordinate.longitude))>"
                + "\(XMLText.element("time", Timestamp.rfc3339(point.at)))</trkpt>\n"
        }
        return Array((text + "</trkseg>\n</trk>\n" + end).utf8)
    }

    /// Returns a waypoint, whose elements have the order of the schema.
    static func waypoint(_ hit: HitView) -> String {
        let (landmark, link) = (hit.landmark, hit.value(.link))
        return "<wpt\(place(landmark.lat, landmark.lng))>"
            + XMLText.element("time", Timestamp.rfc3339(landmark.updated))
            + XMLText.element("name", HitView.text(landmark.name)) + XMLText.element("desc", hit.notes)
            + (link.isEmpty ? "" : "<link href=\"\(XMLText.attribute(link))\"/>")
            + XMLText.element("type", hit.value(.kind)) + "</wpt>\n"
    }

    private static func place(_ latitude: Double, _ longitude: Double) -> String {
        " lat=\"\(XMLText.degrees(latitude))\" lon=\"\(XMLText.degrees(longitude))\""
    }
}
