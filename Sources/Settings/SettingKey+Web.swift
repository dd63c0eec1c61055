// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    public static let webListen = SettingKey(
        "web.listen", .address, help: "host:port of the map and of the HTTP interface. Default: no listener.")

    public static let webHosts = SettingKey(
        "web.hosts", .string,
        help: "More host names that browsers may use, with commas, besides localhost and the address. Default: none.")

    public static let webOrigins = SettingKey(
        "web.origins", .string,
        help: "Other origins whose pages may read and write, with commas: https://map.example. Default: none.")

    public static let webProxies = SettingKey(
        "web.proxies", .string,
        help: """
            Proxies that end TLS before this listener, with commas: addresses, networks, or names of hosts. Their \
            X-Forwarded-For and X-Forwarded-Proto are believed. Default: none.
            """)

    public static let webTilesURL = SettingKey(
        "web.tiles.url", .string,
        help:
            "A tile server for the map's background: https://tile.example/{z}/{x}/{y}.png. Default: the page's own land."
    )

    public static let webTilesAttribution = SettingKey(
        "web.tiles.attribution", .string, help: "The credit that the tiles' licence asks for, as a text.")
}
