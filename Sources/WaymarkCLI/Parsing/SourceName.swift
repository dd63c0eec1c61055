// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Settings

/// Derives a name for a source if the person gave no name.
enum SourceName {
    /// Returns the last word of a path or URL without its extensions: `airports` for
    /// `https://example.com/Airports.json?x=1`.
    static func from(_ location: String) -> String {
        var path = Substring(location)
        if let scheme = path.firstRange(of: "://") {
            path = path[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        }
        let words = path.split(separator: "/")
        let file = words.last ?? "source"
        // The dots of a host name are kept if the URL has no path. A file name that begins with a dot is kept whole.
        let isHost = words.count < 2 && location.contains("://")
        let stem = isHost ? file : file.first == "." ? file : file.prefix { $0 != "." }
        let letters = stem.lowercased().map { SettingGroup.isMemberName(String($0)) ? $0 : "-" }
        let name = String(String(letters).prefix(LandmarkRules.sourceCharacters).drop { $0 == "-" })
        return name.isEmpty ? "source" : name
    }

    /// - Throws: an error for a name that is not allowed in a configuration file.
    static func checked(_ name: String) throws(BadValue) -> String {
        guard SettingGroup.isMemberName(name) else {
            throw BadValue(
                "\"\(name.prefix(80))\" is no name of a source: take 1 to 64 lower-case letters, digits and hyphens, as "
                    + "in a configuration.")
        }
        return name
    }
}
