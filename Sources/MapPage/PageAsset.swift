// SPDX-License-Identifier: Apache-2.0

internal import Support

/// A file of the map page, as the service sends it.
public struct PageAsset: Sendable {
    /// Returns the Content-Security-Policy header of the page. The page may load from and connect to only its own
    /// origin, and the tile server for pictures. Inline code is forbidden, and no other page may frame this one.
    public static func contentSecurityPolicy(tiles: TileServer?) -> String {
        let pictures = ["img-src 'self' data:", tiles?.origin].compactMap(\.self).joined(separator: " ")
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", pictures, "connect-src 'self'",
            "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    public let body: [UInt8]
    public let contentType: String
    /// A strong entity tag with its quotes, as in the header.
    public let etag: String

    /// Whether the path has a digest of the bytes, so that a browser may keep the file for ever.
    public internal(set) var isImmutable = false

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The start of the bytes' digest in hexadecimal digits.
    var digest: Substring { etag.dropFirst().prefix(12) }

    /// Returns the file at a path of the page: "/", "/share", "/sw.js" or "/assets/NAME". Nil if there is none.
    ///
    /// - Parameter tiles: the server of pictures that replace the page's own land; nil if none is configured.
    public static func at(_ path: String, tiles: TileServer? = nil) -> PageAsset? {
        if let page = ["/": "index.html", "/share": "share.html"][path] {
            return PageFiles.all.file(page).map { tiles?.page($0) ?? $0 }
        }
        // A service worker controls only the folder in which its script is, so this script must be in the root.
        if path == "/sw.js" { return PageFiles.all.file("sw.js") }
        let prefix = "/assets/"
        return path.hasPrefix(prefix) ? PageFiles.all.file(String(path.dropFirst(prefix.count))) : nil
    }

    init(name: String, body: [UInt8]) {
        self.body = body
        contentType = Self.contentTypes[name.split(separator: ".").last ?? ""] ?? "application/octet-stream"
        etag = "\"\(SHA256.hash(body.span.bytes).prefix(12).hexadecimal)\""
    }

    /// The types of the files by the endings of their names.
    private static let contentTypes: [Substring: String] = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json",
    ]
}
