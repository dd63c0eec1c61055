// SPDX-License-Identifier: Apache-2.0

/// All keys of a service. What is not in here is an error wherever it stands.
public struct SettingsSchema: Hashable, Sendable {
    /// `storage`: part of the variables' names, since one machine may run several services.
    public let service: String
    public let keys: [SettingKey]
    public let groups: [SettingGroup]

    public init(service: String, keys: [SettingKey], groups: [SettingGroup] = []) {
        self.service = service
        self.keys = keys
        self.groups = groups
    }

    /// `WAYMARK_STORAGE_`.
    public var variablePrefix: String { "WAYMARK_\(service.capitalisedForVariable)_" }

    /// `WAYMARK_STORAGE_LOG_LEVEL`.
    public func variable(of key: String) -> String { variablePrefix + key.capitalisedForVariable }

    /// The key of that dotted name, also one of a group's member.
    func key(named name: String) -> SettingKey? {
        if let key = keys.first(where: { $0.name == name }) { return key }
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let group = groups.first(where: { $0.name == parts[0] }),
            SettingGroup.isMemberName(parts[1]), let field = group.fields.first(where: { $0.name == parts[2] })
        else { return nil }
        return field.within(group.name, String(parts[1]))
    }

    /// The key behind `log-level`, as flags and, in small letters, variables write it.
    ///
    /// In `sources-a-max-bytes` the longest field that fits is meant: the rest is the member's name.
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

    /// The known key that looks most like an unknown one; nil when none does.
    func nearest(to name: String) -> SettingKey? {
        var candidates = keys
        let hyphenated = name.hyphenated
        for group in groups where hyphenated.hasPrefix(group.name + "-") {
            for field in group.fields {
                // The member's name is what is left when the field takes as many words as it has.
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
