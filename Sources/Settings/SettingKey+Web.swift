// SPDX-License-Identifier: Apache-2.0

extension SettingKey {
    public static let webListen = SettingKey(
        "web.listen", .address, help: "host:port of the map and of the HTTP interface. Default: no listener.")

    public static let webHosts = SettingKey(
        "web.hosts", .string,
        help: "Names under which browsers may ask, with commas, beside localhost and the address. Default: none.")

    public static let webOrigins = SettingKey(
        "web.origins", .string,
        help: "Other origins whose pages may read and write, with commas: https://map.example. Default: none.")
}
