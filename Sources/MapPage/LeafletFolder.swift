// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// The installed files of the map library Leaflet. They are read at run time, because code of other projects is
/// installed, not committed.
enum LeafletFolder {
    /// The folder in which Debian's package libjs-leaflet installs its files.
    private static let path = "/usr/share/javascript/leaflet"
    /// The installed files for each file that the page requests, the best one first. The minified script is a third as
    /// large.
    private static let files = ["leaflet.js": ["leaflet.min.js", "leaflet.js"], "leaflet.css": ["leaflet.css"]]
    private static let mostBytes = 4 << 20

    /// Returns an installed file; nil if it is not installed or the page does not need it.
    static func asset(_ name: String) -> PageAsset? {
        for file in files[name] ?? [] {
            if let body = read(file) { return PageAsset(name: name, body: body) }
        }
        return nil
    }

    private static func read(_ name: String) -> [UInt8]? {
        let path = "\(path)/\(name)"
        var about = stat()
        guard stat(path, &about) == 0, about.st_size > 0, about.st_size <= mostBytes else { return nil }
        return (try? Data(contentsOf: URL(filePath: path))).map { [UInt8]($0) }
    }
}
