// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient
internal import WaymarkProtocol

/// Writes landmarks as KML 2.2 (OGC 07-147r2), as placemarks in one document. The fields beside name and position are
/// untyped data.
enum KML {
    static let beginning =
        XMLText.declaration + "<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n<name>Waymark</name>\n"
    static let end = "</Document>\n</kml>\n"

    /// - Parameter fields: the names and values of all fields. Empty ones are left out.
    static func placemark(_ hit: HitView, _ fields: some Sequence<(String, String)>) -> String {
        var data = ""
        for (field, text) in fields where !text.isEmpty && !["name", "lat", "lng"].contains(field) {
            data += "<Data name=\"\(field)\">\(XMLText.element("value", text))</Data>"
        }
        let name = XMLText.element("name", HitView.text(hit.landmark.name))
        let place = "\(XMLText.degrees(hit.landmark.lng)),\(XMLText.degrees(hit.landmark.lat))"
        return "<Placemark>\(name)<ExtendedData>\(data)</ExtendedData>"
            + "<Point><coordinates>\(place)</coordinates></Point></Placemark>\n"
    }
}
