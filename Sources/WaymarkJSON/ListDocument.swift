// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

/// A form in which landmarks are one document.
package enum ListForm: String, CaseIterable, Sendable {
    case geojson, kml, gpx, csv

    package var contentType: String {
        switch self {
        case .geojson: "application/geo+json"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .gpx: "application/gpx+xml"
        // UTF-8 unless a parameter says otherwise (RFC 7111).
        case .csv: "text/csv"
        }
    }
}

/// A document with landmarks that is written row by row.
package struct ListDocument {
    package let form: ListForm
    private let isMeasured: Bool
    private let tellsOpening: Bool
    private let fields: [String]
    private var isFirst = true
    /// The part that was not taken yet, without the end.
    package var bytes: [UInt8]

    /// - Parameters:
    ///   - isMeasured: whether to write distance and bearing.
    ///   - tellsOpening: whether to write the opening state.
    package init(_ form: ListForm, isMeasured: Bool, tellsOpening: Bool) {
        (self.form, self.isMeasured, self.tellsOpening) = (form, isMeasured, tellsOpening)
        fields = HitView.fields(isMeasured: isMeasured, tellsOpening: tellsOpening)
        let beginning =
            switch form {
            case .geojson: GeoJSON.beginning
            case .kml: KML.beginning
            case .gpx: GPX.beginning
            case .csv: CSVTable.line(fields)
            }
        bytes = Array(beginning.utf8)
    }

    package mutating func add(_ hit: HitView) {
        switch form {
        case .geojson:
            if !isFirst { bytes += ",\n".utf8 }
            bytes += GeoJSON.feature(hit, isMeasured: isMeasured, tellsOpening: tellsOpening)
        case .kml:
            let values = hit.values(isMeasured: isMeasured, tellsOpening: tellsOpening)
            bytes += KML.placemark(hit, zip(fields, values)).utf8
        case .gpx: bytes += GPX.waypoint(hit).utf8
        case .csv: bytes += CSVTable.line(hit.values(isMeasured: isMeasured, tellsOpening: tellsOpening)).utf8
        }
        isFirst = false
    }

    /// Returns the end of the document.
    ///
    /// - Parameter next: the URL of the next page, which only GeoJSON names; nil if there is none.
    package func end(linkingTo next: String? = nil) -> [UInt8] {
        switch form {
        case .geojson: GeoJSON.end(linkingTo: next)
        case .kml: Array(KML.end.utf8)
        case .gpx: Array(GPX.end.utf8)
        case .csv: []
        }
    }
}
