// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

extension JSONValue {
    /// The text of a kind. If there are several kinds, as in Google's `types`, the first known kind is chosen:
    /// `["food", "cafe"]` gives cafe.
    var kindText: String? {
        elements?.lazy.compactMap(\.text).first { KnownKind.named($0) != nil } ?? text
    }
}

/// Determines the kind of an OpenStreetMap element by its tags.
enum OpenStreetMapKind {
    /// Keys that are more specific than general keys, such as `station=subway` beside `railway=station`. Their values
    /// are used only if they are known kinds.
    private static let particular = ["station", "school", "isced:level", "takeaway", "delivery"]
    /// Keys whose values are kinds, the most specific key first.
    private static let general = [
        "amenity", "tourism", "natural", "shop", "leisure", "historic", "aeroway", "railway", "public_transport",
        "man_made", "office", "place", "highway", "boundary", "building",
    ]
    /// Keys that are used only if no other key applies, such as `religion=muslim` beside `amenity=place_of_worship`.
    private static let last = ["craft", "healthcare", "landuse", "religion"]

    /// Returns the known kind that a tag means: gas_station for `amenity=fuel`. If there is none, returns the value of
    /// the first general key: beach for `natural=beach`, building for `building=yes`, ruins for `historic=ruins;fort`.
    static func of(_ tags: JSONValue) -> String? {
        let word = { (key: String) in tags[key]?.text?.split(separator: ";").first.map(String.init) }
        let known = (particular + general + last).lazy.compactMap { key in
            word(key).flatMap { KnownKind.of(tag: "\(key)=\($0)") }
        }.first
        return known?.name ?? general.lazy.compactMap { key in word(key).map { $0 == "yes" ? key : $0 } }.first
    }
}
