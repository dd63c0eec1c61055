// SPDX-License-Identifier: Apache-2.0

/// All keys of a service. Any other key is an error in every layer.
public struct SettingsSchema: Hashable, Sendable {
    /// The service's name, such as `storage`. Variables contain it, because one machine may run several services.
    public let service: String
    public let keys: [SettingKey]
    public let groups: [SettingGroup]

    public init(service: String, keys: [SettingKey], groups: [SettingGroup] = []) {
        self.service = service
        self.keys = keys
        self.groups = groups
    }

    /// The prefix of variables: `WAYMARK_STORAGE_`.
    public var variablePrefix: String { "WAYMARK_\(service.capitalisedForVariable)_" }

    /// The variable of a key: `WAYMARK_STORAGE_LOG_LEVEL`.
    public func variable(of key: String) -> String { variablePrefix + key.capitalisedForVariable }

    /// The key with this dotted name, including keys of group members.
    func key(named name: String) -> SettingKey? {
        if let key = keys.first(where: { $0.name == name }) { return key }
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let group = groups.first(where: { $0.name == parts[0] }),
            SettingGroup.isMemberName(parts[1]), let field = group.fields.first(where: { $0.name == parts[2] })
        else { return nil }
        return field.within(group.name, String(parts[1]))
    }

    /// The key for the form that flags use, `log-level`, which is also the lower-case form of variables.
    ///
    /// `sources-a-max-bytes` is split so that the field is the longest that fits; the rest is the member's name.
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

    /// The known key most similar to an unknown one; nil if none is similar enough.
    func nearest(to name: String) -> SettingKey? {
        var candidates = keys
        let hyphenated = name.hyphenated
        for group in groups where hyphenated.hasPrefix(group.name + "-") {
            for field in group.fields {
                // The field is compared with as many words at the end as it has itself. The words before them are the
                // member's name.
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
