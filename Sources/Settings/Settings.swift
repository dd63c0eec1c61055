// SPDX-License-Identifier: Apache-2.0

/// All settings of a service, checked. Layers in rising order: defaults, file, environment, flags.
public struct Settings: Sendable {
    public let schema: SettingsSchema
    /// The text of each key, including keys of group members: from the highest layer, or the default. Empty: no value.
    private let texts: [String: String]
    private let origins: [String: SettingOrigin]
    private let memberNames: [String: [String]]

    /// Reads all layers and checks every value, including those that a higher layer overrides.
    ///
    /// - Parameters:
    ///   - file: the path of a YAML file, which must exist; nil for none.
    ///   - environment: all variables. Variables without the schema's prefix are ignored.
    ///   - arguments: the command line without the program's name and without the program's own flags.
    public static func load(
        schema: SettingsSchema, file: String?, environment: [String: String], arguments: [String]
    ) throws(SettingsError) -> Settings {
        let flags = try SettingsFlags.read(arguments, schema)
        let variables = try SettingsVariables.read(environment, schema)
        var fromFile = SettingsLayer()
        if let file { fromFile = try SettingsFile.read(file, schema) }
        return try Settings(schema, layers: [fromFile, variables, flags])
    }

    /// - Parameter layers: from the lowest to the highest.
    private init(_ schema: SettingsSchema, layers: [SettingsLayer]) throws(SettingsError) {
        self.schema = schema
        let entries = layers.reduce(into: [:]) { entries, layer in entries.merge(layer.entries) { $1 } }
        origins = entries.mapValues(\.origin)
        var keys = schema.keys
        var memberNames: [String: [String]] = [:]
        for group in schema.groups {
            let prefix = group.name + "."
            let members = Set(
                origins.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).prefix { $0 != "." } })
            memberNames[group.name] = members.map(String.init).sorted()
            for member in members { keys += group.fields.map { $0.within(group.name, String(member)) } }
        }
        self.memberNames = memberNames
        for key in keys where key.isRequired && origins[key.name] == nil {
            throw .missing(key: key.name, flag: key.flag, variable: schema.variable(of: key.name))
        }
        let defaults = keys.reduce(into: [:]) { $0[$1.name] = $1.defaultText ?? "" }
        texts = defaults.merging(entries.mapValues(\.text)) { $1 }
    }

    /// The members of a group that any layer names, sorted by name.
    public func members(of group: String) -> [SettingsMember] {
        (memberNames[group] ?? []).map { SettingsMember(name: $0, group: group, settings: self) }
    }

    /// The keys whose values differ from those in `old`, sorted. Includes the keys of members that only one side has.
    public func differences(from old: Settings) -> [String] {
        Set(texts.keys).union(old.texts.keys).filter { texts[$0] != old.texts[$0] }.sorted()
    }

    /// The place that gave `key` its value.
    public func origin(of key: String) -> SettingOrigin { origins[key] ?? .default }

    /// The value of `key`; nil if it is empty or not given.
    public func optionalString(_ key: String) -> String? {
        precondition(schema.key(named: key) != nil, "\(key) is not in the schema")
        // An empty text means no value, and overrides lower layers.
        return texts[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a key that has a default or is required.
    public func string(_ key: String) -> String { value(key) { $0 } }

    /// The values of an ``SettingKind/endpoints``; empty without a value.
    public func endpoints(_ key: String) -> [String] { optionalString(key).map(EndpointText.list) ?? [] }

    /// The value of an ``SettingKind/int(_:)`` with a default.
    public func int(_ key: String) -> Int { value(key, SettingText.int) }

    /// The value of a ``SettingKind/bool`` with a default.
    public func bool(_ key: String) -> Bool { value(key, SettingText.bool) }

    /// The value of a ``SettingKind/duration(_:)`` with a default.
    public func duration(_ key: String) -> Duration { value(key, SettingText.duration) }

    /// The value of a ``SettingKind/bytes(_:)`` with a default.
    public func bytes(_ key: String) -> Int { value(key, SettingText.bytes) }

    private func value<Value>(_ key: String, _ read: (String) -> Value?) -> Value {
        guard let value = optionalString(key).flatMap(read) else {
            // Every text was checked at load, so the caller used a getter of another kind, or the key has no default.
            preconditionFailure("\(key) has no value of that kind")
        }
        return value
    }
}

/// One member of a group. Its fields are read by their own names.
public struct SettingsMember: Sendable {
    /// The member's name: `sydney` in `sources.sydney.url`.
    public let name: String
    let group: String
    let settings: Settings

    /// The dotted key of a field, for messages.
    public func key(_ field: String) -> String { "\(group).\(name).\(field)" }

    public func origin(of field: String) -> SettingOrigin { settings.origin(of: key(field)) }
    public func optionalString(_ field: String) -> String? { settings.optionalString(key(field)) }
    public func string(_ field: String) -> String { settings.string(key(field)) }
    public func duration(_ field: String) -> Duration { settings.duration(key(field)) }
    public func bytes(_ field: String) -> Int { settings.bytes(key(field)) }
}
