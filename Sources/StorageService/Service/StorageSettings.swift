// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
public import Settings
import WaymarkProtocol
public import ZeroMQ

extension SettingsSchema {
    /// The keys of `waymark-storage`. `config/storage.yaml` lists all of them with their meaning.
    public static let storage = SettingsSchema(
        service: "storage",
        keys: [
            SettingKey(
                "data", .path,
                help:
                    "The database's directory, for one process at a time. Default: waymark in the XDG data directory."),
            SettingKey(
                "engine", .string, default: "sqlite",
                help:
                    "sqlite: a file in data. postgresql://USER:PASSWORD@HOST/DATABASE: a database there; as a flag without password."
            ),
            SettingKey(
                "replication", .choice(["asynchronous", "synchronous"]), default: "asynchronous",
                help: "synchronous: PostgreSQL's standbys confirm commits; a promoted one continues the history."),
            SettingKey(
                "listen", .endpoint, default: WaymarkProtocol.defaultCommandEndpoint,
                help: "Endpoint for commands: tcp://host:port or ipc://path."),
            SettingKey(
                "changes", .endpoint, default: WaymarkProtocol.defaultChangesEndpoint,
                help: "Endpoint for publishing changes."),
            SettingKey(
                "advertise", .announced,
                help:
                    "Endpoint that clients subscribe to, if it differs from changes. Host *: the one at which they reach the service."
            ),
            SettingKey(
                "insecure", .bool, default: "false",
                help: "Listen beyond loopback and ipc without accounts, although a user's name is claimed, not proven."),
            .accounts,
            SettingKey(
                "keys.own", .path,
                help:
                    "Storage's own keys, made at the first start with accounts: required; one file for all storages of a database. Default: storage.key in the data directory."
            ),
            SettingKey(
                "keys.service", .path,
                help:
                    "Where query services find their keys, made at the first start with accounts: required. Default: service.key in the data directory."
            ),
            SettingKey(
                "batch.commands", .int(1...100_000), default: "1024",
                help: "The most commands in a batch, which one flush makes durable."),
            SettingKey(
                "batch.bytes", .bytes(65_536...268_435_456), default: "8MiB",
                help: "The most bytes of commands in a batch, which one flush makes durable."),
            SettingKey(
                "beacon", .duration(.milliseconds(50)...Duration.seconds(1)), default: "1s",
                help: "Time between beacons, which tell subscribers that they have every change."),
            SettingKey(
                "retain.count", .int(1_000...1_000_000_000), default: "10000000",
                help: "The most changes that the change log keeps."),
            SettingKey(
                "retain.age", .duration(.zero...Duration.seconds(36_500 * 86_400)), default: "30d",
                help: "The greatest age of changes in the log; the newest 1,000 are always kept. 0s: no limit."
            ),
            SettingKey(
                "retain.tracks", .duration(.zero...Duration.seconds(36_500 * 86_400)), default: "30d",
                help: "The time for which the points of tracks are kept, apart from the log. 0s: for good."),
            SettingKey(
                "disk.reserve", .bytes(0...1_099_511_627_776), default: "64MiB",
                help: "Space to keep free on the disk. With less, writes are refused until there is more."),
            SettingKey(
                "upgrade.backup", .bool, default: "true",
                help:
                    "Copy a database of an older schema before migrating it; the two newest copies are kept."
            ),
            SettingKey(
                "limits.connections", .int(16...1_000_000), default: "4096",
                help:
                    "The most connections of each of the two sockets, as far as the limit of open files allows."
            ),
            .httpListen, .httpInsecure, .drain, .logLevel, .logFormat,
        ])
}

extension StorageOptions {
    /// - Parameter environment: all variables, for the standard data directory.
    ///
    /// - Throws: one sentence, without the password, for an engine that is none.
    public init(_ settings: Settings, environment: [String: String]) throws {
        self.init(
            directory: settings.optionalString("data") ?? StandardLocations.dataDirectory(environment),
            listen: settings.string("listen"), changes: settings.string("changes"),
            advertise: settings.optionalString("advertise"), isInsecure: settings.bool("insecure"),
            batchCommands: settings.int("batch.commands"), batchBytes: settings.bytes("batch.bytes"),
            beacon: settings.duration("beacon"),
            retention: Retention(
                count: UInt64(settings.int("retain.count")), age: settings.duration("retain.age")),
            tracks: settings.duration("retain.tracks"),
            diskReserve: settings.bytes("disk.reserve"), backsUpBeforeUpgrade: settings.bool("upgrade.backup"),
            connections: settings.int("limits.connections"))
        server = try EngineSetting.server(settings)
        if settings.string("accounts") == "required", let directory {
            access = StorageAccess(
                keys: .file(settings.optionalString("keys.own") ?? Self.keyFile(in: directory)),
                serviceFile: settings.optionalString("keys.service") ?? Self.serviceKeyFile(in: directory))
        }
    }

    /// Storage's own keys; nil unless the settings require accounts.
    public static func ownKeys(_ settings: Settings) throws -> CurveKeyPair? {
        guard settings.string("accounts") == "required" else { return nil }
        let directory =
            settings.optionalString("data") ?? StandardLocations.dataDirectory(ProcessInfo.processInfo.environment)
        return try KeyFile(path: settings.optionalString("keys.own") ?? keyFile(in: directory)).keys
    }

    /// The file of storage's own keys, unless the settings name another one.
    public static func keyFile(in directory: String) -> String { directory + "/storage.key" }
    /// The keys for query services, unless the settings name another file.
    public static func serviceKeyFile(in directory: String) -> String { directory + "/service.key" }
}
