// SPDX-License-Identifier: Apache-2.0

import JSON
import Landmarks

extension JSONValue {
    /// Of several kinds, as Google's `types` lists them, the first one of the table: `["food", "cafe"]` gives cafe.
    var kindText: String? {
        elements?.lazy.compactMap(\.text).first { KnownKind.named($0) != nil } ?? text
    }
}

/// The kind of an element of OpenStreetMap, from its tags.
enum OpenStreetMapKind {
    /// Keys that say more than the general ones: `station=subway` beside `railway=station`. Only the table makes kinds of
    /// their values.
    private static let particular = ["station", "school", "isced:level", "takeaway", "delivery"]
    /// Keys whose values are kinds, most specific first.
    private static let general = [
        "amenity", "tourism", "natural", "shop", "leisure", "historic", "aeroway", "railway", "public_transport",
        "man_made", "office", "place", "highway", "boundary", "building",
    ]
    /// Keys that count when no other does: `religion=muslim` beside `amenity=place_of_worship`.
    private static let last = ["craft", "healthcare", "landuse", "religion"]

    /// A kind of the table if a tag means one: `amenity=fuel` gives gas_station. Otherwise the value of the first general
    /// key: `natural=beach` gives beach, `building=yes` gives building, `historic=ruins;fort` gives ruins.
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
