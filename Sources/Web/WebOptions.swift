// SPDX-License-Identifier: Apache-2.0

package import MapPage
package import Settings
internal import WaymarkProtocol
package import WebServer

/// The configuration of the HTTP interface.
package struct WebOptions: Sendable {
    /// The address that `waymark up` uses when nothing else is configured.
    package static let defaultAddress = ListenAddress(host: "127.0.0.1", port: 7_480)

    package var address: ListenAddress
    /// Whether nobody asked for this port, so that another one will do if it is taken.
    package var mayMove = false
    /// Whether to listen also where other machines can connect.
    package var isInsecure = false
    /// Names under which browsers may ask, beside loopback and the address itself.
    package var hosts: [String] = []
    /// Origins of other sites whose pages may read and write, such as `https://map.example`.
    package var origins: [String] = []
    /// Those whose words about the client and about TLS count.
    package var proxies = ProxyRule()
    /// The page's background; nil: its own land.
    package var tiles: TileServer?
    /// The path of a gazetteer; nil: the one inside the program.
    package var gazetteer: String?
    /// The most readers of changes at once; a quarter of them from one network.
    package var readers = 1_200
    /// The most connections at once.
    package var connections = 1_500
    /// The most pages of snapshots that are read at once; others wait for their turn.
    package var snapshots = 2
    /// The longest time from the end of a request's header to the end of the request.
    package var request = Duration.seconds(15)
    /// The longest time for which a client may leave unread what was written.
    package var unread = Duration.seconds(30)
    /// The bytes and the number of changes that are kept in memory for all readers.
    package var ringBytes = 16 * 1024 * 1024
    package var ringCount = 16_384
    /// The time between two beacons of a stream of changes. At most so long after a connection broke does a stream end.
    package var beacon = Duration.seconds(5)
    /// For the answer of the bus to one request.
    package var timeout = Duration.milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds)

    package init(_ address: ListenAddress) { self.address = address }

    /// Nil if the settings configure no HTTP interface.
    ///
    /// - Throws: `TileServer.Problem` if the tile server cannot be used as configured, `ProxyRule.Malformed`.
    package init?(_ settings: Settings) throws {
        guard let text = settings.optionalString("web.listen"), let address = ListenAddress(text) else {
            return nil
        }
        try self.init(address, settings)
    }

    /// All but the address comes from the settings.
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
