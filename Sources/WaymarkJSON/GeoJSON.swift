// SPDX-License-Identifier: Apache-2.0

package import Landmarks
package import WaymarkClient

/// Landmarks in the form of RFC 7946: points with longitude first. The other fields are in the properties, under the
/// keys of ``OutputFormat/json``.
package enum GeoJSON {
    package static let beginning = "{\"type\":\"FeatureCollection\",\"features\":[\n"
    package static let end = "\n]}\n"

    /// The end of a collection that goes on elsewhere: its `links` have the form of OGC API - Features.
    ///
    /// - Parameter next: the address of what follows; nil: nothing does.
    package static func end(linkingTo next: String?) -> [UInt8] {
        guard let next else { return Array(end.utf8) }
        var writer = JSONWriter()
        writer.array([next]) { writer, href in
            writer.object {
                $0.field("rel", "next")
                $0.field("type", "application/geo+json")
                $0.field("href", href)
            }
        }
        return Array("\n],\"links\":".utf8) + writer.bytes + Array("}\n".utf8)
    }

    /// One feature without a newline.
    ///
    /// - Parameters:
    ///   - measured: the distance and bearing, if known.
    ///   - opening: whether it is open, if that was asked.
    package static func feature(_ landmark: Landmark, measured: Hit? = nil, opening: Hit? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("type", "Feature")
            writer.field("id", landmark.id)
            writer.key("geometry")
            writer.object {
                $0.field("type", "Point")
                $0.key("coordinates")
                $0.array([landmark.coordinate.longitude, landmark.coordinate.latitude]) { $0.value($1) }
            }
            writer.key("properties")
            writer.object {
                $0.field("name", landmark.name)
                $0.details(landmark)
                if let measured { $0.measures(measured) }
                if let opening { $0.opening(opening) }
            }
        }
        return writer.bytes
    }
}
