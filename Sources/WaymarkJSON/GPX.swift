// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Writes tracks as GPX 1.1 (<https://www.topografix.com/GPX/1/1/>), which map programs and GPS devices read.
package enum GPX {
    /// Returns a GPX document with one track.
    package static func document(_ points: [TrackPoint], of landmark: Landmark) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Waymark" xmlns="http://www.topografix.com/GPX/1/1">
            <trk>
            <name>\(escaped(landmark.name))</name>
            <trkseg>

            """
        for point in points {
            let (lat, lon) = (point.coordinate.latitude, point.coordinate.longitude)
            text +=
                "<trkpt lat=\"\(degrees(lat))\" lon=\"\(degrees(lon))\"><time>\(Timestamp.rfc3339(point.at))</time></trkpt>\n"
        }
        return Array((text + "</trkseg>\n</trk>\n</gpx>\n").utf8)
    }

    /// Returns a decimal number of XML Schema, which allows no exponent.
    private static func degrees(_ value: Double) -> String {
        let shortest = value.description
        guard shortest.utf8.contains(UInt8(ascii: "e")) else { return shortest }
        // Swift writes an exponent for angles below a ten-thousandth of a degree (eleven metres). Nine digits resolve
        // 0.1 mm.
        let digits = String(Int((abs(value) * 1e9).rounded()))
        return (value < 0 ? "-0." : "0.") + String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
    }

    /// Returns the text escaped for an element. Characters that XML 1.0 forbids become spaces.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: " "
            default: String(scalar)
            }
        }.joined()
    }
}
