// SPDX-License-Identifier: Apache-2.0

public import Settings
import WaymarkProtocol

extension SettingsSchema {
    /// The keys of `waymark-storage`. `config/storage.yaml` has them all, with what they mean.
    public static let storage = SettingsSchema(
        service: "storage",
        keys: [
            SettingKey(
                "data", .path,
                help:
                    "The directory of the database. One process at a time. Default: waymark in the XDG data directory."),
            SettingKey(
                "listen", .endpoint, default: WaymarkProtocol.defaultCommandEndpoint,
                help: "Where commands are taken: tcp://host:port or ipc://path."),
            SettingKey(
                "changes", .endpoint, default: WaymarkProtocol.defaultChangesEndpoint,
                help: "Where changes are published."),
            SettingKey(
                "advertise", .endpoint,
                help: "What clients are told to subscribe to, where that differs from changes."),
            SettingKey(
                "insecure", .bool, default: "false",
                help: "Listen beyond loopback and ipc, although a user's name is only claimed, not proven."),
            SettingKey(
                "batch.commands", .int(1...100_000), default: "1024",
                help: "At most so many commands become durable with one flush."),
            SettingKey(
                "batch.bytes", .bytes(65_536...268_435_456), default: "8MiB",
                help: "At most so many bytes of commands become durable with one flush."),
            SettingKey(
                "beacon", .duration(.milliseconds(50)...Duration.seconds(1)), default: "1s",
                help: "How often subscribers hear that all is well while nothing changes."),
            SettingKey(
                "retain.count", .int(1_000...1_000_000_000), default: "10000000",
                help: "The change log keeps at most so many changes."),
            SettingKey(
                "retain.age", .duration(.zero...Duration.seconds(36_500 * 86_400)), default: "30d",
                help: "The change log keeps no change that is older, but always the newest 1,000. 0s: whatever its age."
            ),
            .httpListen, .drain, .logLevel, .logFormat,
        ])
}

extension StorageOptions {
    /// - Parameter environment: all variables, for the standard data directory.
    public init(_ settings: Settings, environment: [String: String]) {
        self.init(
            directory: settings.optionalString("data") ?? StandardLocations.dataDirectory(environment),
            listen: settings.string("listen"), changes: settings.string("changes"),
            advertise: settings.optionalString("advertise"), isInsecure: settings.bool("insecure"),
            batchCommands: settings.int("batch.commands"), batchBytes: settings.bytes("batch.bytes"),
            beacon: settings.duration("beacon"),
            retention: Retention(
                count: UInt64(settings.int("retain.count")), age: settings.duration("retain.age")))
    }
}
