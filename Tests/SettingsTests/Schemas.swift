// SPDX-License-Identifier: Apache-2.0

import Settings

private let logLevels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

extension SettingsSchema {
    /// Keys like those of the storage service.
    static let storage = SettingsSchema(
        service: "storage",
        keys: [
            SettingKey(
                "data", .path, help: "The directory that holds the database; default: in the XDG data directory."),
            SettingKey("listen", .endpoint, default: "tcp://127.0.0.1:7421", help: "Where commands are taken."),
            SettingKey("changes", .endpoint, default: "tcp://127.0.0.1:7422", help: "Where changes are published."),
            SettingKey("advertise", .endpoint, help: "What clients subscribe to, where that differs from changes."),
            SettingKey("insecure", .bool, default: "false", help: "Whether to listen beyond loopback and ipc."),
            SettingKey("batch.commands", .int(1...4096), default: "256", help: "Commands of one commit, at most."),
            SettingKey(
                "batch.bytes", .bytes(1024...(256 << 20)), default: "4MiB", help: "Bytes of one commit, at most."),
            SettingKey(
                "beacon", .duration(.milliseconds(10)...(.seconds(60))), default: "1s",
                help: "How often subscribers hear that all is well while nothing changes."),
            SettingKey("log.level", .choice(logLevels), default: "info", help: "The least that is logged."),
        ])

    /// Keys like those of the query service.
    static let query = SettingsSchema(
        service: "query",
        keys: [
            SettingKey("listen", .endpoint, default: "tcp://127.0.0.1:7420", help: "Where requests are taken."),
            SettingKey("storage", .endpoint, default: "tcp://127.0.0.1:7421", help: "Where storage takes commands."),
            SettingKey("changes", .endpoint, help: "Where storage publishes changes; default: what storage tells."),
            SettingKey("insecure", .bool, default: "false", help: "Whether to listen beyond loopback and ipc."),
            SettingKey("log.level", .choice(logLevels), default: "info", help: "The least that is logged."),
        ],
        groups: [
            SettingGroup(
                "sources",
                fields: [
                    SettingKey("url", .location, isRequired: true, help: "https:, http: or file:."),
                    SettingKey(
                        "format", .choice(["auto", "seed", "geojson", "overpass", "udacity", "mapping"]),
                        default: "auto", help: "How the source writes its landmarks."),
                    SettingKey(
                        "every", .duration(.zero...(.seconds(365 * 86_400))), default: "1h",
                        help: "Time between fetches; 0s: once, at the start."),
                    SettingKey(
                        "vanished", .choice(["keep", "remove"]), default: "keep",
                        help: "What becomes of landmarks that the source no longer has."),
                    SettingKey(
                        "timeout", .duration(.milliseconds(100)...(.seconds(3600))), default: "30s",
                        help: "How long one fetch may take."),
                    SettingKey(
                        "max-bytes", .bytes(1...(1 << 30)), default: "64MiB", help: "How large a body may be."),
                    SettingKey("rows", .string, help: "mapping: where the list is."),
                    SettingKey("name", .string, help: "mapping: a row's name."),
                    SettingKey("lat", .string, help: "mapping: a row's latitude."),
                    SettingKey("lng", .string, help: "mapping: a row's longitude."),
                    SettingKey(
                        "wkt", .string, help: "mapping: a row's position as a WKT point, instead of lat and lng."),
                    SettingKey("key", .string, help: "mapping: a row's own id."),
                    SettingKey("kind", .string, help: "mapping: a row's kind, or =word for all."),
                    SettingKey("link", .string, help: "mapping: a row's link."),
                    SettingKey("rating", .string, help: "mapping: a row's rating, 0 to 5."),
                ])
        ])
}
