// SPDX-License-Identifier: Apache-2.0

/// All settings of a service, already checked. Layers, each overriding those before: defaults, file, environment,
/// flags.
public struct Settings: Sendable {
    public let schema: SettingsSchema
    /// The texts of all keys, including those of group members, from the highest layer that gives one, or from the
    /// default. An empty text means that there is no value.
    private let texts: [String: String]
    private let origins: [String: SettingOrigin]
    private let memberNames: [String: [String]]

    /// Reads all layers and checks every value, including values that a higher layer overrides.
    ///
    /// - Parameters:
    ///   - file: the path of a YAML file, which must exist; nil if there is no file.
    ///   - environment: all environment variables. Those without the schema's prefix are ignored.
    ///   - arguments: the command line, without the program's name and without flags that are not settings.
    public static func load(
        schema: SettingsSchema, file: String?, environment: [String: String], arguments: [String]
    ) throws(SettingsError) -> Settings {
        let flags = try SettingsFlags.read(arguments, schema)
        let variables = try SettingsVariables.read(environment, schema)
        var fromFile = SettingsLayer()
        if let file { fromFile = try SettingsFile.read(file, schema) }
        return try Settings(schema, layers: [fromFile, variables, flags])
    }

    /// - Parameter layers: the layers from the lowest to the highest.
    private init(_ schema: SettingsSchema, layers: [SettingsLayer]) throws(SettingsError) {
        self.schema = schema
        let entries = layers.reduce(into: [:]) { entries, layer in entries.merge(layer.entries) { $1 } }
        origins = entries.mapValues { $0.origin }
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
        texts = defaults.merging(entries.mapValues { $0.text }) { $1 }
    }

    /// Returns the members of a group that are named in any layer, sorted by name.
    public func members(of group: String) -> [SettingsMember] {
        (memberNames[group] ?? []).map { SettingsMember(name: $0, group: group, settings: self) }
    }

    /// Returns the keys whose values differ from those in `old`, sorted. Includes keys of members that only one of them
    /// has.
    public func differences(from old: Settings) -> [String] {
        Set(texts.keys).union(old.texts.keys).filter { texts[$0] != old.texts[$0] }.sorted()
    }

    /// Returns the place where `key` was given its value.
    public func origin(of key: String) -> SettingOrigin { origins[key] ?? .default }

    /// Returns the text of `key`; nil if it is empty or not given.
    public func optionalString(_ key: String) -> String? {
        precondition(schema.key(named: key) != nil, "\(key) is not in the schema")
        // An empty text means that there is no value. It overrides lower layers too.
        return texts[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the text of a key that has a default or is required.
    public func string(_ key: String) -> String { value(key) { $0 } }

    /// Returns the endpoints of a key of the kind ``SettingKind/endpoints``; empty if it has no value.
    public func endpoints(_ key: String) -> [String] { optionalString(key).map(EndpointText.list) ?? [] }

    /// Returns the value of a key of the kind ``SettingKind/int(_:)`` with a default.
    public func int(_ key: String) -> Int { value(key, SettingText.int) }

    /// Returns the value of a key of the kind ``SettingKind/bool`` with a default.
    public func bool(_ key: String) -> Bool { value(key, SettingText.bool) }

    /// Returns the value of a key of the kind ``SettingKind/duration(_:)`` with a default.
    public func duration(_ key: String) -> Duration { value(key, SettingText.duration) }

    /// Returns the value of a key of the kind ``SettingKind/bytes(_:)`` with a default.
    public func bytes(_ key: String) -> Int { value(key, SettingText.bytes) }

    private func value<Value>(_ key: String, _ read: (String) -> Value?) -> Value {
        guard let value = optionalString(key).flatMap(read) else {
            // Every text was checked by `load`, so the function is for another kind, or the key has no default.
            preconditionFailure("\(key) has no value of that kind")
        }
        return value
    }
}

/// A member of a group. Its settings are read by their names in the group.
public struct SettingsMember: Sendable {
    /// The name of the member: `sydney` in `sources.sydney.url`.
    public let name: String
    let group: String
    let settings: Settings

    /// Returns the full key of a setting, for messages.
    public func key(_ field: String) -> String { "\(group).\(name).\(field)" }

    public func origin(of field: String) -> SettingOrigin { settings.origin(of: key(field)) }
    public func optionalString(_ field: String) -> String? { settings.optionalString(key(field)) }
    public func string(_ field: String) -> String { settings.string(key(field)) }
    public func duration(_ field: String) -> Duration { settings.duration(key(field)) }
    public func bytes(_ field: String) -> Int { settings.bytes(key(field)) }
}
