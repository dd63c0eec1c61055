// SPDX-License-Identifier: Apache-2.0

internal import Support

/// A server of map pictures that the page draws instead of its own land.
public struct TileServer: Hashable, Sendable {
    /// The URL of a picture, with the placeholders {z}, {x} and {y}.
    public let url: String
    /// The names of the pictures' makers, which the licence requires to show, as plain text.
    public let attribution: String
    /// The origin from which the page may load pictures, such as `https://tile.example`.
    public let origin: String

    public enum Problem: Error, CustomStringConvertible {
        case url
        case host
        case places
        case attribution

        public var description: String {
            switch self {
            case .url:
                "web.tiles.url is not https:, or http: to this machine: give one such as "
                    + "https://tile.example/{z}/{x}/{y}.png, without quotes, spaces, commas and semicolons."
            case .host: "web.tiles.url names no host: give one such as https://tile.example/{z}/{x}/{y}.png."
            case .places:
                "web.tiles.url has not {z}, {x} and {y} once each in its path, and no other braces: write them there."
            case .attribution:
                "web.tiles.attribution is not a text of 1 to 200 letters: give what the licence of the tiles asks for."
            }
        }
    }

    /// Checks both values: they come from the configuration, and the URL is inserted into a header and the page.
    public init(url: String, attribution: String) throws(Problem) {
        guard url.utf8.count <= 500, url.allSatisfy(Self.isAllowed) else { throw .url }
        guard let scheme = ["https://", "http://"].first(where: { url.hasPrefix($0) }) else { throw .url }
        let rest = url.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: "/") else { throw .places }
        let (authority, path) = (rest[..<slash], rest[slash...])
        guard let host = Self.host(authority) else { throw .host }
        guard scheme == "https://" || Self.isLoopback(host) else { throw .url }
        var left = String(path)
        for place in ["{z}", "{x}", "{y}"] {
            let parts = left.split(separator: place, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .places }
            left = parts.joined()
        }
        guard !left.contains(where: { "{}".contains($0) }) else { throw .places }
        let isText =
            attribution.unicodeScalars.allSatisfy { !$0.properties.isWhitespace || $0 == " " }
            && !attribution.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...200).contains(attribution.count), attribution.utf8.count <= 800, isText else { throw .attribution }
        (self.url, self.attribution, origin) = (url, attribution, scheme + authority)
    }

    /// Whether a character may be in the URL: a letter, a digit, or one that tile servers' URLs need. None of them ends
    /// a source or directive of the Content-Security-Policy, a quote, or an HTML element.
    private static func isAllowed(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._~:/?&=%+{}".contains(character))
    }

    /// Returns the host in HOST or HOST:PORT; nil if there is none. IPv6 is refused, because a policy cannot name it.
    private static func host(_ authority: Substring) -> Substring? {
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts[0]
        guard !host.isEmpty, !host.hasPrefix("."), host.allSatisfy({ $0.isLetter || $0.isNumber || "-.".contains($0) })
        else { return nil }
        let hasPort = parts.count == 2 && parts[1].allSatisfy(\.isNumber) && UInt16(parts[1]) ?? 0 > 0
        return parts.count == 1 || hasPort ? host : nil
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost"
            || numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }

    /// Inserts the configured values into the page as attributes of the map's element, and removes the line that loads
    /// the land.
    func page(_ page: PageAsset) -> PageAsset {
        let map = "<section id=\"map\""
        let said = " data-tiles=\"\(url.inHTML)\" data-attribution=\"\(attribution.inHTML)\""
        let lines = page.text.split(separator: "\n").filter { !$0.contains("/assets/land") }
        let text = lines.joined(separator: "\n").replacing(map, with: map + said, maxReplacements: 1)
        return PageAsset(name: "index.html", body: Array(text.utf8))
    }
}
