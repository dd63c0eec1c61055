// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Reads a batch of Overland, as <https://github.com/aaronpk/Overland-iOS#api> describes it: a list of GeoJSON features.
package enum OverlandReport {
    /// - Returns: the positions. A feature without a position or a time is left out, because the app would send the
    ///   whole batch again for ever.
    package static func points(_ batch: JSONValue) throws(ReportRefusal) -> [TrackPoint] {
        guard let features = batch["locations"]?.elements else {
            throw .unreadable("The report has no list of locations: it is not a batch of Overland.")
        }
        guard features.count <= ReportRefusal.mostPoints else { throw .tooMany }
        return features.compactMap { feature in
            // Longitude comes first (RFC 7946, 3.1.1). An altitude may follow the latitude.
            guard feature["geometry"]?["type"]?.text == "Point",
                let place = feature["geometry"]?["coordinates"]?.elements, place.count >= 2,
                let properties = feature["properties"],
                let time = properties["timestamp"].flatMap(ReportTime.milliseconds)
            else { return nil }
            return try? TrackPoint(
                place[1].numeric, place[0].numeric, at: time, accuracy: properties["horizontal_accuracy"]?.numeric,
                speed: properties["speed"]?.numeric, or: "")
        }
    }
}
