// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Ingest
internal import Landmarks
import OpeningHours
public import Settings

extension SettingsSchema {
    /// The settings of `waymark-query`. `config/query.yaml` explains all of them.
    public static let query = SettingsSchema(
        service: "query", keys: QueryOptions.settings.settingKeys(QueryOptions()),
        groups: [
            SettingGroup(
                "sources",
                fields: [
                    SettingKey(
                        "url", .location, isRequired: true,
                        help: "https:, http: or file:. A relative path starts at the settings file's folder."),
                    SettingKey(
                        "format", .choice(SourceFormat.names), default: "auto", help: "Format of the source's body."),
                    SettingKey(
                        "every", .duration(.zero...Duration.seconds(366 * 86_400)), default: "1h",
                        help: "Time between fetches; 0s: once, at the start."),
                    SettingKey(
                        "vanished", .choice(VanishedPolicy.allCases.map(\.rawValue)), default: "keep",
                        help: "Keep or remove the landmarks that the source no longer has."),
                    SettingKey(
                        "timeout", .duration(.milliseconds(100)...Duration.seconds(3_600)), default: "30s",
                        help: "The time limit of one fetch."),
                    SettingKey(
                        "max-bytes", .bytes(1...1_073_741_824), default: "64MiB",
                        help: "The largest body that is accepted."),
                    SettingKey("rows", .string, help: "mapping: path of the list, as names joined by dots."),
                    SettingKey("name", .string, help: "mapping: the field with the name."),
                    SettingKey("lat", .string, help: "mapping: the field with the latitude."),
                    SettingKey("lng", .string, help: "mapping: the field with the longitude."),
                    SettingKey(
                        "wkt", .string,
                        help: "mapping: instead of lat and lng, a field with Point(lng lat) or lat,lng."),
                    SettingKey("key", .string, help: "mapping: the field that identifies a row."),
                    SettingKey("zone", .string, help: "Time zone of the opening hours, such as Australia/Sydney."),
                ]
                    + Attribute.allCases.map {
                        SettingKey(
                            $0.rawValue, .string,
                            help: "mapping: the field with the \($0.word), or = and then one \($0.word) for all rows.")
                    })
        ])
}

extension QueryOptions {
    fileprivate static let settings = own + (shared + SettingKey.hooks).map { Setting<QueryOptions>($0) }

    private static let own: [Setting<QueryOptions>] = [
        Setting("listen", .endpoint, \.listen, help: "Endpoint for requests: tcp://host:port or ipc://path."),
        Setting(
            "storage", .endpoints, \.storages,
            help: "Endpoint where storage takes commands; several with commas if there is a standby."),
        Setting(
            "changes", .endpoints, \.changes,
            help:
                "Endpoint where storage publishes changes, if the one that storage names is unreachable from here. For several storages: one each, in the order of storage."
        ),
        Setting(
            "relay.listen", .endpoint,
            help:
                "Endpoint where this service relays storage's changes to its own clients. Default: no relay, clients follow storage."
        ),
        Setting(
            "relay.advertise", .announced,
            help:
                "Endpoint that clients subscribe to, if it differs from relay.listen. Host *: the host under which they reach this service."
        ),
        Setting(
            "relay.memory", .bytes(65_536...4_294_967_296), default: "64MiB",
            help: "Memory for recent changes, which clients ask for after a gap."),
        Setting(
            "insecure", .bool, \.isInsecure,
            help: "Listen beyond loopback and ipc without accounts; users' names are then claimed, not proven."),
        Setting(
            "replica.within", .string,
            help: "Region whose landmarks this service holds. Default: all of the earth."),
        Setting(
            "replica.fallback", .endpoints, \.fallbacks,
            help: "Endpoint of a query service that answers beyond replica.within; several with commas."),
        Setting(.accounts),
        Setting(
            "keys.service", .path,
            help: "File with this service's keys, made by storage. Needed with accounts: required."),
        Setting(
            "sign-in.listen", .endpoint,
            help: "Endpoint for signing in. Default: that of listen, with the port four higher."),
        Setting(
            "sign-in.server-key-endpoint", .endpoint,
            help:
                "Endpoint that tells everybody the service's public key. Default: that of listen, with the port three higher."
        ),
        Setting(
            "sign-in.advertise", .announced,
            help:
                "Endpoint for signing in that clients are told, if it differs from sign-in.listen. Host *: the host under which they reach this service."
        ),
        Setting(
            "limits.connections", .int(16...1_000_000), \.connections,
            help: "The most connections at once, as far as the limit of open files allows."),
        Setting(
            "places.zone", .string,
            help:
                "Time zone for the opening hours of landmarks whose source has none, such as Australia/Sydney. Default: the nearest town's."
        ),
        Setting(
            "places.gazetteer", .path, \.gazetteer,
            help: "Gazetteer file to use instead of the built-in one."),
        Setting(
            "rates.url", .location,
            help: "Address of the currencies' rates: https:, http: or file:. Default: none."),
        Setting(
            "rates.every", .duration(.zero...Duration.seconds(366 * 86_400)), default: "6h",
            help: "Time between fetches of the rates; 0s: once, at the start."),
        Setting(
            "rates.file", .path,
            help: "File that keeps the last fetched rates across restarts. Default: none."),
    ]
    private static let shared: [SettingKey] = [
        .httpListen, .httpInsecure, .webListen, .webHosts, .webOrigins, .webProxies, .webTilesURL, .webTilesAttribution,
        .drain, .logLevel, .logFormat,
    ]

    /// - Throws: an error that names the setting or source that cannot be used as configured.
    public init(_ settings: Settings) throws(Unusable) {
        self.init()
        Self.settings.apply(settings, to: &self)
        for member in settings.members(of: "sources") {
            sources.append(try SourceDefinition(member))
            if let zone = member.optionalString("zone") {
                zones.sources[member.name] = try Self.zone(zone, setting: member.origin(of: "zone").description)
            }
        }
        if let zone = settings.optionalString("places.zone") {
            zones.standard = try Self.zone(zone, setting: "places.zone")
        }
        if let url = settings.optionalString("rates.url") {
            do throws(SourceLocationError) {
                rates = RatesSource(
                    location: try SourceLocation(url), every: settings.duration("rates.every"),
                    kept: settings.optionalString("rates.file"))
            } catch {
                throw Unusable("\(settings.origin(of: "rates.url")): the rates cannot be fetched: \(error)")
            }
        }
        isBesideWeb = settings.optionalString("web.listen") != nil
        guard changes.count <= 1 || changes.count == storages.count else {
            throw Unusable(
                "\(settings.origin(of: "changes")): changes names \(changes.count) endpoints and storage "
                    + "\(storages.count): name as many for changes, in the same order, or only one.")
        }
        if let listen = settings.optionalString("relay.listen") {
            relay = RelayOptions(
                listen: listen, advertise: settings.optionalString("relay.advertise"),
                bytes: settings.bytes("relay.memory"))
        }
        region = try settings.optionalString("replica.within").map { text throws(Unusable) in
            try RegionText.region(text, setting: settings.origin(of: "replica.within").description)
        }
        guard region == nil || relay == nil else {
            throw Unusable(
                "\(settings.origin(of: "relay.listen")): a relay needs all changes: leave out relay.listen or "
                    + "replica.within.")
        }
        if let gazetteer {
            // The gazetteer is loaded here only as a check, so that an unusable file is reported at the start.
            do throws(GazetteerError) { _ = try Gazetteer.configured(gazetteer) } catch {
                throw Unusable("\(settings.origin(of: "places.gazetteer")): \(error)")
            }
        }
    }

    private static func zone(_ name: String, setting: String) throws(Unusable) -> String {
        guard TimeZoneFile(name) == nil else { return name }
        throw Unusable(
            "\(setting): this machine knows no time zone \"\(name)\": give one of IANA's names, such as "
                + "Australia/Sydney, and see that tzdata is installed.")
    }
}

extension SourceDefinition {
    /// - Throws: an error that names the field that cannot be used as configured.
    init(_ member: SettingsMember) throws(Unusable) {
        do {
            let format = member.string("format")
            var mapping: FieldMapping?
            if format == "mapping" {
                mapping = try FieldMapping(
                    rows: member.optionalString("rows"), name: member.optionalString("name"),
                    lat: member.optionalString("lat"), lng: member.optionalString("lng"),
                    wkt: member.optionalString("wkt"), key: member.optionalString("key"),
                    attributes: Dictionary(
                        uniqueKeysWithValues: Attribute.allCases.map { ($0, member.optionalString($0.rawValue)) }))
            }
            try self.init(
                name: member.name, location: try SourceLocation(member.string("url")),
                format: SourceFormat(name: format, mapping: mapping) ?? .auto, every: member.duration("every"),
                vanished: VanishedPolicy(rawValue: member.string("vanished")) ?? .keep,
                limits: FetchLimits(timeout: member.duration("timeout"), maxBytes: member.bytes("max-bytes")))
        } catch {
            throw Unusable("\(member.origin(of: "url")): the source \(member.name) cannot be used: \(error)")
        }
    }
}
