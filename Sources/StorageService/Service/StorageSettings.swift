// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
public import Settings
public import ZeroMQ

extension SettingsSchema {
    /// The setting keys of `waymark-storage`. `config/storage.yaml` lists and explains all of them.
    public static let storage = SettingsSchema(
        service: "storage", keys: StorageOptions.settings.settingKeys(StorageOptions(directory: nil)))
}

extension StorageOptions {
    fileprivate static let settings = own + shared.map { Setting<StorageOptions>($0) }

    private static let own: [Setting<StorageOptions>] = [
        Setting(
            "data", .path,
            help: "Directory of the database; one process may use it. Default: waymark in the XDG data directory."),
        Setting(
            "engine", .string, default: "sqlite",
            help:
                "sqlite: a file in data. postgresql://USER:PASSWORD@HOST/DATABASE: that database; a flag must not hold the password."
        ),
        Setting(
            "replication", .choice(["asynchronous", "synchronous"]), default: "asynchronous",
            help: "synchronous: PostgreSQL's standbys confirm commits; a promoted standby continues the history."),
        Setting("listen", .endpoint, \.listen, help: "Endpoint for commands: tcp://host:port or ipc://path."),
        Setting("changes", .endpoint, \.changes, help: "Endpoint for publishing changes."),
        Setting(
            "advertise", .announced, \.advertise,
            help:
                "Endpoint that clients subscribe to, if it differs from changes. Host *: the host under which they reach the service."
        ),
        Setting(
            "insecure", .bool, \.isInsecure,
            help: "Listen beyond loopback and ipc without accounts; users' names are then claimed, not proven."),
        Setting(.accounts),
        Setting(
            "sign-up", .choice(["invitation", "open"]), default: "invitation",
            help: "Who may make an account: who was invited, or with open anybody who can connect (a user's account)."),
        Setting(
            "keys.own", .path,
            help:
                "File with storage's own keys, made at the first start with accounts: required; all storages of a database share it. Default: storage.key in the data directory."
        ),
        Setting(
            "keys.service", .path,
            help:
                "File with the keys for query services, made at the first start with accounts: required. Default: service.key in the data directory."
        ),
        Setting(
            "batch.commands", .int(1...100_000), \.batchCommands,
            help: "The most commands in a batch; one flush makes a batch durable."),
        Setting(
            "batch.bytes", .bytes(65_536...268_435_456), \.batchBytes,
            help: "The most bytes of commands in a batch; one flush makes a batch durable."),
        Setting(
            "beacon", .duration(.milliseconds(50)...Duration.seconds(1)), \.beacon,
            help: "Time between beacons, which tell subscribers that they have every change."),
        Setting(
            "retain.count", .int(1_000...1_000_000_000), \.retention.count,
            help: "The most changes that the change log keeps."),
        Setting(
            "retain.age", .duration(.zero...Duration.seconds(36_500 * 86_400)), \.retention.age,
            help: "The greatest age of changes in the log; the newest 1,000 are always kept. 0s: no limit."),
        Setting(
            "retain.tracks", .duration(.zero...Duration.seconds(36_500 * 86_400)), \.tracks,
            help: "How long points of tracks are kept, independently of the log. 0s: for ever."),
        Setting(
            "hooks.retain", .duration(.zero...Duration.seconds(36_500 * 86_400)), \.retention.hooks,
            help:
                "How long the log keeps changes beyond its limits for hooks that have not delivered them. 0s: not at all."
        ),
        Setting(
            "disk.reserve", .bytes(0...1_099_511_627_776), \.diskReserve,
            help: "Space to keep free on the disk; while less is free, writes are refused."),
        Setting(
            "upgrade.backup", .bool, \.backsUpBeforeUpgrade,
            help: "Copy a database of an earlier release before migrating it; the two newest copies are kept."),
        Setting(
            "limits.connections", .int(16...1_000_000), \.connections,
            help: "The most connections to each of the two endpoints, as far as the limit of open files allows."),
    ]
    private static let shared: [SettingKey] = [.httpListen, .httpInsecure, .drain, .logLevel, .logFormat]

    /// - Parameter environment: all environment variables of the process, for the standard data directory.
    ///
    /// - Throws: an error of one sentence, without the password, if the engine's URL cannot be used.
    public init(_ settings: Settings, environment: [String: String]) throws {
        self.init(directory: settings.optionalString("data") ?? StandardLocations.dataDirectory(environment))
        Self.settings.apply(settings, to: &self)
        server = try EngineSetting.server(settings)
        if settings.string("accounts") == "required", let directory {
            access = StorageAccess(
                keyFile: settings.optionalString("keys.own") ?? Self.keyFile(in: directory),
                serviceFile: settings.optionalString("keys.service") ?? Self.serviceKeyFile(in: directory))
            access?.isOpen = settings.string("sign-up") == "open"
        }
    }

    /// Returns storage's own keys; nil if the settings do not require accounts.
    public static func ownKeys(_ settings: Settings) throws -> CurveKeyPair? {
        guard settings.string("accounts") == "required" else { return nil }
        let directory =
            settings.optionalString("data") ?? StandardLocations.dataDirectory(ProcessInfo.processInfo.environment)
        return try KeyFile(path: settings.optionalString("keys.own") ?? keyFile(in: directory)).keys
    }

    /// Returns the default path of storage's own key file.
    public static func keyFile(in directory: String) -> String { directory + "/storage.key" }
    /// Returns the default path of the key file for query services.
    public static func serviceKeyFile(in directory: String) -> String { directory + "/service.key" }
}
