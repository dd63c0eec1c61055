// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

extension JSONValue {
    /// The text of a kind. From several kinds, as in Google's `types`, the first known one is chosen: `["food",
    /// "cafe"]` gives cafe.
    var kindText: String? {
        elements?.lazy.compactMap(\.text).first { KnownKind.named($0) != nil } ?? text
    }
}

/// Finds the kind of an OpenStreetMap element by its tags.
enum OpenStreetMapKind {
    /// Keys that are more specific than the general ones: `station=subway` beside `railway=station`. Their values are
    /// used only if they are known kinds.
    private static let particular = ["station", "school", "isced:level", "takeaway", "delivery"]
    /// Keys whose values are kinds, most specific first.
    private static let general = [
        "amenity", "tourism", "natural", "shop", "leisure", "historic", "aeroway", "railway", "public_transport",
        "man_made", "office", "place", "highway", "boundary", "building",
    ]
    /// Keys that count only if no other does: `religion=muslim` beside `amenity=place_of_worship`.
    private static let last = ["craft", "healthcare", "landuse", "religion"]

    /// The known kind that a tag means: `amenity=fuel` gives gas_station. Otherwise the value of the first general key:
    /// `natural=beach` gives beach, `building=yes` gives building, `historic=ruins;fort` gives ruins.
    static func of(_ tags: JSONValue) -> String? {
        let word = { (key: String) in tags[key]?.text?.split(separator: ";").first.map(String.init) }
        for key in particular + general + last {
            if let word = word(key), let kind = KnownKind.of(tag: "\(key)=\(word)") { return kind.name }
        }
        for key in general {
            if let word = word(key) { return word == "yes" ? key : word }
        }
        return nil
    }
}
