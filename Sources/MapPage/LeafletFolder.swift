// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// The installed Leaflet. It is read at run time, because other people's code is installed and never committed.
public struct LeafletFolder: Sendable {
    /// Where Debian's libjs-leaflet is.
    public static let debian = "/usr/share/javascript/leaflet"

    private static let names: Set<String> = ["leaflet.js", "leaflet.css"]
    private static let mostBytes = 4 << 20

    public let path: String

    public init(path: String) { self.path = path }

    /// Nil if it is not installed, or the page needs no such file.
    func asset(_ name: String) -> PageAsset? {
        guard Self.names.contains(name), let bytes = short(name) ?? read("\(path)/\(name)") else { return nil }
        return PageAsset(name: name, body: bytes)
    }

    /// The same program in a third of the bytes, where the package has it.
    private func short(_ name: String) -> [UInt8]? { name == "leaflet.js" ? read("\(path)/leaflet.min.js") : nil }

    private func read(_ path: String) -> [UInt8]? {
        var about = stat()
        guard stat(path, &about) == 0, about.st_size > 0, about.st_size <= Self.mostBytes else { return nil }
        return (try? Data(contentsOf: URL(filePath: path))).map { [UInt8]($0) }
    }
}
