// SPDX-License-Identifier: Apache-2.0

/// One setting: the same key in the file, the environment and the flags.
public struct SettingKey: Hashable, Sendable {
    /// Words of small letters, digits and hyphens, joined by dots: `log.level`, nested in YAML.
    public let name: String
    public let kind: SettingKind
    /// The value where no layer gives one; nil for none. A setting without one may be set to nothing.
    public let defaultText: String?
    /// Whether somebody has to give it. Only for fields of a group.
    public let isRequired: Bool
    /// One line for people.
    public let help: String

    public init(
        _ name: String, _ kind: SettingKind, default text: String? = nil, isRequired: Bool = false, help: String
    ) {
        self.name = name
        self.kind = kind
        defaultText = text
        self.isRequired = isRequired
        self.help = help
    }

    /// `--log-level`.
    public var flag: String { "--" + name.hyphenated }

    /// The key of this field in a member of a group: `url` is `sources.sydney.url`.
    func within(_ group: String, _ member: String) -> SettingKey {
        SettingKey("\(group).\(member).\(name)", kind, default: defaultText, isRequired: isRequired, help: help)
    }
}

/// Settings that come once for every member that somebody names: `sources.<name>.url`.
public struct SettingGroup: Hashable, Sendable {
    public let name: String
    public let fields: [SettingKey]

    public init(_ name: String, fields: [SettingKey]) {
        self.name = name
        self.fields = fields
    }

    /// 1 to 64 small letters, digits and hyphens, the first one no hyphen: it is part of a flag and a variable.
    static func isMemberName(_ name: some StringProtocol) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
            && name.utf8.allSatisfy { $0 &- 97 < 26 || $0 &- 48 < 10 || $0 == 45 }
    }
}

extension String {
    /// As in a flag: `log-level`.
    var hyphenated: String { String(map { $0 == "." ? "-" : $0 }) }

    /// As in a variable: `LOG_LEVEL`.
    var capitalisedForVariable: String {
        String(uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
    }
}
