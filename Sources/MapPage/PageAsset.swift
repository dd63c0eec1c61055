// SPDX-License-Identifier: Apache-2.0

internal import CMapPage
internal import Support

/// A file of the map page, as the service sends it.
public struct PageAsset: Sendable {
    /// Returns the Content-Security-Policy header of the page. The page may load from and connect to only its own
    /// origin, and the tile server for pictures. Inline code is forbidden, and no other page may frame this one.
    public static func contentSecurityPolicy(tiles: TileServer?) -> String {
        let pictures = ["img-src 'self' data:", tiles?.origin].compactMap(\.self).joined(separator: " ")
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", pictures, "connect-src 'self'",
            "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    public let body: [UInt8]
    public let contentType: String
    /// A strong entity tag with its quotes, as in the header.
    public let etag: String

    /// Returns the file at a path of the page: "/", "/sw.js" or "/assets/NAME". Nil if there is none.
    ///
    /// - Parameter tiles: the server of pictures that replace the page's own land; nil if none is configured.
    public static func at(_ path: String, tiles: TileServer? = nil) -> PageAsset? {
        if path == "/" { return own["index.html"].map { tiles?.page($0) ?? $0 } }
        // A service worker controls only the folder in which its script is, so this script must be in the root.
        if path == "/sw.js" { return own["sw.js"] }
        let prefix = "/assets/"
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return own[name] ?? LandParts.asset(name) { own[$0]?.body } ?? LeafletFolder.asset(name)
    }

    init(name: String, body: [UInt8]) {
        self.body = body
        contentType = Self.contentType(name)
        let digest = SHA256.hash(body.span.bytes).prefix(12)
        etag = "\"" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    }

    private static let own: [String: PageAsset] = {
        var assets: [String: PageAsset] = [:]
        // The table and its bytes are constants of the program, and an entry without a name ends the table.
        guard var next = waymark_page_assets() else { return assets }
        while let name = next.pointee.name {
            let bytes = UnsafeBufferPointer(start: next.pointee.bytes, count: next.pointee.count)
            let name = String(cString: name)
            assets[name] = PageAsset(name: name, body: name.hasSuffix(".js") ? script(Array(bytes)) : Array(bytes))
            next += 1
        }
        return assets
    }()

    /// Returns a script without the lines that hold only a comment, which no browser needs. The first line names the
    /// licence and stays.
    private static func script(_ text: [UInt8]) -> [UInt8] {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let kept = lines.enumerated().filter { index, line in
            index == 0 || !line.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
        }
        return Array(kept.map(\.element).joined(separator: "\n".utf8))
    }

    private static func contentType(_ name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
