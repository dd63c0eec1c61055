// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Derives a name for a source when the person gave none.
enum SourceName {
    /// The last word of a path or URL without its extensions: `airports` of `https://example.com/airports.json?x=1`.
    static func from(_ location: String) -> String {
        var path = Substring(location)
        if let scheme = path.firstRange(of: "://") {
            path = path[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        }
        let words = path.split(separator: "/")
        let file = words.last ?? "source"
        // A host alone keeps its dots. A file name that begins with a dot is kept whole.
        let isHost = words.count < 2 && location.contains("://")
        let stem = isHost ? file : file.first == "." ? file : file.prefix { $0 != "." }
        return String(stem.prefix(LandmarkRules.sourceCharacters))
    }
}
