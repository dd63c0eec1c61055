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
                        help: "https:, http: or file:. A relative path starts at the file's folder."),
                    SettingKey(
                        "format", .choice(SourceFormat.names), default: "auto", help: "The format of the body."),
                    SettingKey(
                        "every", .duration(.zero...Duration.seconds(366 * 86_400)), default: "1h",
                        help: "Time between fetches; 0s: once, at the start."),
                    SettingKey(
                        "vanished", .choice(VanishedPolicy.allCases.map(\.rawValue)), default: "keep",
                        help: "What becomes of a landmark that the source no longer has."),
                    SettingKey(
                        "timeout", .duration(.milliseconds(100)...Duration.seconds(3_600)), default: "30s",
                        help: "The time limit of one fetch."),
                    SettingKey(
                        "max-bytes", .bytes(1...1_073_741_824), default: "64MiB",
                        help: "The largest body that is accepted."),
                    SettingKey("rows", .string, help: "mapping: where the list is, as names joined by dots."),
                    SettingKey("name", .string, help: "mapping: the field with the name."),
                    SettingKey("lat", .string, help: "mapping: the field with the latitude."),
                    SettingKey("lng", .string, help: "mapping: the field with the longitude."),
                    SettingKey(
                        "wkt", .string, help: "mapping: instead of both, a field with Point(lng lat) or lat,lng."),
                    SettingKey("key", .string, help: "mapping: the field that identifies a row."),
                    SettingKey("zone", .string, help: "Time zone of its opening hours, such as Australia/Sydney."),
                ]
                    + Attribute.allCases.map {
                        SettingKey(
                            $0.rawValue, .string,
                            help: "mapping: the field with the \($0.word), or = and one \($0.word) for all rows.")
                    })
        ])
}

extension QueryOptions {
    fileprivate static let settings = own + shared.map { Setting<QueryOptions>($0) }

    private static let own: [Setting<QueryOptions>] = [
        Setting("listen", .endpoint, \.listen, help: "Endpoint for requests: tcp://host:port or ipc://path."),
        Setting(
            "storage", .endpoints, \.storages,
            help: "Endpoint where storage takes commands; with a standby several, with commas."),
        Setting(
            "changes", .endpoints, \.changes,
            help:
                "Endpoint where storage publishes changes, if the one it names is unreachable from here. With several storages as many, in their order."
        ),
        Setting(
            "relay.listen", .endpoint,
            help:
                "Endpoint where this service publishes storage's changes again, for its own clients. Default: they follow storage."
        ),
        Setting(
            "relay.advertise", .announced,
            help:
                "Endpoint that clients subscribe to, if it differs from relay.listen. Host *: the one at which they reach this service."
        ),
        Setting(
            "relay.memory", .bytes(65_536...4_294_967_296), default: "64MiB",
            help: "Recent changes that are kept for clients that missed some."),
        Setting(
            "insecure", .bool, \.isInsecure,
            help: "Listen beyond loopback and ipc without accounts, although a user's name is claimed, not proven."),
        Setting(
            "replica.within", .string,
            help: "The part of the earth whose landmarks this service holds. Default: all of it."),
        Setting(
            "replica.fallback", .endpoints, \.fallbacks,
            help: "A query service that holds more, for questions beyond replica.within; several with commas."),
        Setting(.accounts),
        Setting(
            "keys.service", .path,
            help: "The file with this service's keys, which storage made. Needed with accounts: required."),
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
                "Endpoint for signing in that is told with the key, if it differs from sign-in.listen. Host *: the one that was reached."
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
            help: "A gazetteer's file instead of the one inside the program."),
        Setting(
            "rates.url", .location,
            help: "Where rates of currencies are fetched: https:, http: or file:. Default: nowhere."),
        Setting(
            "rates.every", .duration(.zero...Duration.seconds(366 * 86_400)), default: "6h",
            help: "Time between fetches of the rates; 0s: once, at the start."),
        Setting(
            "rates.file", .path,
            help: "A file that keeps the rates fetched last over a restart. Default: none."),
    ]
    private static let shared: [SettingKey] = [
        .httpListen, .httpInsecure, .webListen, .webHosts, .webOrigins, .webProxies, .webTilesURL, .webTilesAttribution,
        .drain, .logLevel, .logFormat,
    ]

    /// - Throws: an error that names the setting or source that cannot be used as configured.
    public init(_ settings: Settings) throws(Unusable) {
        var sources: [SourceDefinition] = []
        var zones = PlaceZones()
        for member in settings.members(of: "sources") {
            sources.append(try SourceDefinition(member))
            if let zone = member.optionalString("zone") {
                zones.sources[member.name] = try Self.zone(zone, setting: member.origin(of: "zone").description)
            }
        }
        if let zone = settings.optionalString("places.zone") {
            zones.standard = try Self.zone(zone, setting: "places.zone")
        }
        var rates: RatesSource?
        if let url = settings.optionalString("rates.url") {
            do throws(SourceLocationError) {
                rates = RatesSource(
                    location: try SourceLocation(url), every: settings.duration("rates.every"),
                    kept: settings.optionalString("rates.file"))
            } catch {
                throw Unusable("\(settings.origin(of: "rates.url")): the rates cannot be fetched: \(error)")
            }
        }
        self.init(sources: sources, rates: rates)
        Self.settings.apply(settings, to: &self)
        guard changes.count <= 1 || changes.count == storages.count else {
            throw Unusable(
                "\(settings.origin(of: "changes")): there are \(changes.count) endpoints for changes and "
                    + "\(storages.count) for storage: name as many, in the same order, or one.")
        }
        if let listen = settings.optionalString("relay.listen") {
            relay = RelayOptions(
                listen: listen, advertise: settings.optionalString("relay.advertise"),
                bytes: settings.bytes("relay.memory"))
        }
        self.zones = zones
        region = try settings.optionalString("replica.within").map { text throws(Unusable) in
            try RegionText.region(text, setting: settings.origin(of: "replica.within").description)
        }
        guard region == nil || relay == nil else {
            throw Unusable(
                "\(settings.origin(of: "relay.listen")): a relay needs all changes: give replica.within to "
                    + "another query service.")
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
