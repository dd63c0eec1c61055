// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// The installed Leaflet. It is read at run time, because other people's code is installed and never committed.
enum LeafletFolder {
    /// The folder of Debian's libjs-leaflet.
    private static let path = "/usr/share/javascript/leaflet"
    /// The files that the page asks for, with the installed files that serve for each, the best first: the short
    /// program has a third of the bytes.
    private static let files = ["leaflet.js": ["leaflet.min.js", "leaflet.js"], "leaflet.css": ["leaflet.css"]]
    private static let mostBytes = 4 << 20

    /// An installed file; nil if it is not installed, or the page needs no such file.
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
