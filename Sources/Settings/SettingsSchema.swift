// SPDX-License-Identifier: Apache-2.0

/// All keys of a service. In every layer, any other key is an error.
public struct SettingsSchema: Hashable, Sendable {
    /// The service's name, such as `storage`. The names of variables contain it, because a machine may run several
    /// services.
    public let service: String
    public let keys: [SettingKey]
    public let groups: [SettingGroup]

    public init(service: String, keys: [SettingKey], groups: [SettingGroup] = []) {
        self.service = service
        self.keys = keys
        self.groups = groups
    }

    /// The prefix of the service's environment variables, such as `WAYMARK_STORAGE_`.
    public var variablePrefix: String { "WAYMARK_\(service.capitalisedForVariable)_" }

    /// Returns the environment variable of a key, such as `WAYMARK_STORAGE_LOG_LEVEL`.
    public func variable(of key: String) -> String { variablePrefix + key.capitalisedForVariable }

    /// Returns the setting with this key, which may belong to a group member; nil if there is none.
    func key(named name: String) -> SettingKey? {
        if let key = keys.first(where: { $0.name == name }) { return key }
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let group = groups.first(where: { $0.name == parts[0] }),
            SettingGroup.isMemberName(parts[1]), let field = group.fields.first(where: { $0.name == parts[2] })
        else { return nil }
        return field.within(group.name, String(parts[1]))
    }

    /// Returns the setting whose flag has this name, such as `log-level`, also the form of variables in lower case.
    ///
    /// In `sources-a-max-bytes`, the longest ending that is a field of the group is the field, and the rest is the
    /// member's name.
    func key(hyphenated name: String) -> SettingKey? {
        if let key = keys.first(where: { $0.name.hyphenated == name }) { return key }
        for group in groups where name.hasPrefix(group.name + "-") {
            let rest = name.dropFirst(group.name.count + 1)
            let fitting = group.fields.filter { rest.hasSuffix("-" + $0.name.hyphenated) }
            guard let field = fitting.max(by: { $0.name.count < $1.name.count }) else { continue }
            let member = rest.dropLast(field.name.count + 1)
            if SettingGroup.isMemberName(member) { return field.within(group.name, String(member)) }
        }
        return nil
    }

    /// Returns the known setting whose key is most similar to an unknown name; nil if none is similar enough.
    func nearest(to name: String) -> SettingKey? {
        var candidates = keys
        let hyphenated = name.hyphenated
        for group in groups where hyphenated.hasPrefix(group.name + "-") {
            for field in group.fields {
                // Compare the field with as many words at the end of the name as the field has. The words before them
                // are the member's name.
                let words = hyphenated.dropFirst(group.name.count + 1).split(separator: "-")
                let member = words.dropLast(field.name.split { $0 == "-" || $0 == "." }.count).joined(separator: "-")
                if SettingGroup.isMemberName(member) { candidates.append(field.within(group.name, member)) }
            }
        }
        let ranked = candidates.map { (key: $0, distance: EditDistance.between($0.name.hyphenated, hyphenated)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= max(2, hyphenated.count / 4)
        else { return nil }
        return best.key
    }
}
