// SPDX-License-Identifier: Apache-2.0

package import MapPage
package import Settings
internal import WaymarkProtocol
package import WebServer

/// The settings of the HTTP interface.
package struct WebOptions: Sendable {
    /// The address that `waymark up` uses when nothing else is configured.
    package static let defaultAddress = ListenAddress(host: "127.0.0.1", port: 7_480)

    package var address: ListenAddress
    /// Whether another port may be used if this one is taken, because nobody asked for it.
    package var mayMove = false
    /// Whether to listen also on addresses that other machines can reach.
    package var isInsecure = false
    /// Host names that browsers may use, beside loopback and the address itself.
    package var hosts: [String] = []
    /// Origins of other sites whose pages may read and write, such as `https://map.example`.
    package var origins: [String] = []
    /// The proxies that are believed about the client's address and TLS.
    package var proxies = ProxyRule()
    /// The page's background; nil for the land that the page brings along.
    package var tiles: TileServer?
    /// The path of a gazetteer; nil for the one inside the program.
    package var gazetteer: String?
    /// The most readers of changes at once; one network may have a quarter of them.
    package var readers = 1_200
    /// The most connections at once.
    package var connections = 1_500
    /// The most pages of snapshots that are read at once; others wait for their turn.
    package var snapshots = 2
    /// The longest time from the end of a request's header to the end of the request.
    package var request = Duration.seconds(15)
    /// The longest time for which a client may leave unread what was written.
    package var unread = Duration.seconds(30)
    /// The limits of the changes kept in memory for all readers, in bytes and in number.
    package var ringBytes = 16 * 1024 * 1024
    package var ringCount = 16_384
    /// The time between two beacons of a stream of changes. A stream ends within it after its connection breaks.
    package var beacon = Duration.seconds(5)
    /// The longest wait for the answer of the bus to one request.
    package var timeout = Duration.milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds)

    package init(_ address: ListenAddress) { self.address = address }

    /// Reads the options from the settings; nil if these configure no HTTP interface.
    ///
    /// - Throws: `TileServer.Problem` if the tile server cannot be used as configured, `ProxyRule.Malformed`.
    package init?(_ settings: Settings) throws {
        guard let text = settings.optionalString("web.listen"), let address = ListenAddress(text) else {
            return nil
        }
        try self.init(address, settings)
    }

    /// Reads everything but the address from the settings.
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
