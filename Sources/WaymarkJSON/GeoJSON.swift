// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
package import WaymarkClient

/// Writes landmarks in the format of RFC 7946, as points with the longitude first. The other fields are properties,
/// with the same keys as in JSON.
package enum GeoJSON {
    package static let beginning = "{\"type\":\"FeatureCollection\",\"features\":[\n"
    package static let end = "\n]}\n"

    /// Returns the end of a collection that continues on another page. Its `links` have the form of OGC API - Features.
    ///
    /// - Parameter next: the URL of the next page; nil if there is none.
    package static func end(linkingTo next: String?) -> [UInt8] {
        guard let next else { return Array(end.utf8) }
        let rest = JSONWriter.line { $0.links([("next", "application/geo+json", next)]) }
        return Array("\n],".utf8) + rest.dropFirst()
    }

    /// Returns one feature without a newline.
    ///
    /// - Parameters:
    ///   - isMeasured: whether to write the distance and the bearing.
    ///   - tellsOpening: whether to write the opening state.
    package static func feature(_ hit: HitView, isMeasured: Bool = false, tellsOpening: Bool = false) -> [UInt8] {
        let landmark = hit.landmark
        return feature(landmark.id) { writer in
            writer.geometry("Point") { point in
                if let coordinate = landmark.coordinate { point.corner(coordinate) }
            }
        } properties: { writer in
            writer.field("name", utf8: landmark.name)
            writer.details(landmark)
            writer.found(hit, isMeasured: isMeasured, tellsOpening: tellsOpening)
        }
    }

    package static func feature(_ hit: Hit, isMeasured: Bool = false, tellsOpening: Bool = false) -> [UInt8] {
        hit.withView { feature($0, isMeasured: isMeasured, tellsOpening: tellsOpening) }
    }

    static func feature(
        _ id: Landmark.ID?, geometry: (inout JSONWriter) -> Void, properties: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("type", "Feature")
            if let id { writer.field("id", id) }
            writer.key("geometry")
            geometry(&writer)
            writer.object("properties", properties)
        }
        return writer.bytes
    }
}

extension JSONWriter {
    /// A link of OGC API - Features.
    package typealias Link = (rel: String, type: String, href: String)

    package mutating func links(_ links: [Link]) {
        array("links", links) { writer, link in
            writer.object {
                $0.field("rel", link.rel)
                $0.field("type", link.type)
                $0.field("href", link.href)
            }
        }
    }

    mutating func geometry(_ type: String, _ coordinates: (inout JSONWriter) -> Void) {
        object {
            $0.field("type", type)
            $0.key("coordinates")
            coordinates(&$0)
        }
    }

    mutating func corner(_ place: Coordinate) {
        array([place.longitude, place.latitude]) { $0.value($1) }
    }
}
