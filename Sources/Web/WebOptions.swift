// SPDX-License-Identifier: Apache-2.0

package import MapPage
package import Settings
internal import WaymarkProtocol
package import WebServer

/// The settings of the HTTP interface.
package struct WebOptions: Sendable {
    /// The address that `waymark up` uses if none is configured.
    package static let defaultAddress = ListenAddress(host: "127.0.0.1", port: 7_480)

    package var address: ListenAddress
    /// Whether another port may be used if the port is taken, because nobody asked for this port.
    package var mayMove = false
    /// Whether addresses are allowed that other machines can reach.
    package var isInsecure = false
    /// Additional host names that browsers may use, besides loopback and the address itself.
    package var hosts: [String] = []
    /// The origins of other sites whose pages may read and write, such as `https://map.example`.
    package var origins: [String] = []
    /// The proxies whose headers about the client's address and TLS are believed.
    package var proxies = ProxyRule()
    /// The server of pictures for the map; nil to draw the land that is a part of the page.
    package var tiles: TileServer?
    /// The path of a gazetteer file; nil for the gazetteer that is compiled in.
    package var gazetteer: String?
    /// The maximum number of readers of changes. One network may have a quarter of them.
    package var readers = 10_000
    /// The maximum number of connections.
    package var connections = 11_000
    /// The maximum number of pages of snapshots that are read at the same time. Further reads wait.
    package var snapshots = 2
    /// The maximum time from the end of a request's header to the end of its body.
    package var request = Duration.seconds(15)
    /// The maximum time for which a client may not read what was written.
    package var unread = Duration.seconds(30)
    /// The maximum size in bytes, and the maximum number, of the changes that are kept in memory for all readers.
    package var ringBytes = 16 * 1024 * 1024
    package var ringCount = 16_384
    /// The time between two turns of a stream of changes to send a beacon. At its turn it sends none if something was
    /// sent in the last quarter of this time, so at most one and a quarter of it passes between two events.
    package var beacon = Duration.seconds(5)
    /// The maximum time to wait for the service's answer to one request.
    package var timeout = Duration.milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds)

    package init(_ address: ListenAddress) { self.address = address }

    /// Reads the options from the settings; nil if the settings configure no HTTP interface.
    ///
    /// - Throws: `TileServer.Problem` or `ProxyRule.Malformed` if the tile server or the proxies cannot be used.
    package init?(_ settings: Settings) throws {
        guard let address = settings.optionalString("web.listen").flatMap(ListenAddress.init) else { return nil }
        try self.init(address, settings)
    }

    /// Reads all options except the address from the settings.
    package init(_ address: ListenAddress, _ settings: Settings) throws {
        self.init(address)
        isInsecure = settings.bool("insecure")
        hosts = Self.words(settings.optionalString("web.hosts"))
        origins = Self.words(settings.optionalString("web.origins"))
        proxies = try ProxyRule(Self.words(settings.optionalString("web.proxies")))
        tiles = try settings.optionalString("web.tiles.url").map { url in
            try TileServer(url: url, attribution: settings.optionalString("web.tiles.attribution") ?? "")
        }
        gazetteer = settings.optionalString("places.gazetteer")
    }

    private static func words(_ text: String?) -> [String] {
        (text ?? "").split(whereSeparator: { $0 == "," || $0.isWhitespace }).map { $0.lowercased() }
    }
}
