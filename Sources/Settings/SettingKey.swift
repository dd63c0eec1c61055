// SPDX-License-Identifier: Apache-2.0

/// The description of one setting. The key is the same in the file, the environment and the flags.
public struct SettingKey: Hashable, Sendable {
    /// The key, made of words of lower-case letters, digits and hyphens, joined by dots, such as `log.level`. In YAML
    /// each dot is a level of nesting.
    public let name: String
    public let kind: SettingKind
    /// The text of the value if no layer (file, environment or flags) gives one; nil if there is no default. Only a
    /// setting without a default may be given as empty.
    public let defaultText: String?
    /// Whether a value must be given. Only settings in a group can be required.
    public let isRequired: Bool
    /// One sentence for the help.
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

    /// The name of the flag, such as `--log-level`.
    public var flag: String { "--" + name.hyphenated }

    /// Returns this setting for one member of a group, with the full key: `url` becomes `sources.sydney.url`.
    func within(_ group: String, _ member: String) -> SettingKey {
        SettingKey("\(group).\(member).\(name)", kind, default: defaultText, isRequired: isRequired, help: help)
    }
}

/// Settings that exist once for each named member of a group, such as `sources.<name>.url`.
public struct SettingGroup: Hashable, Sendable {
    public let name: String
    public let fields: [SettingKey]

    public init(_ name: String, fields: [SettingKey]) {
        self.name = name
        self.fields = fields
    }

    /// Returns whether a name may be that of a member: 1 to 64 lower-case letters, digits and hyphens, not beginning
    /// with a hyphen, because the name becomes part of flags and variables.
    public static func isMemberName(_ name: some StringProtocol) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
            && name.utf8.allSatisfy { $0 &- 97 < 26 || $0 &- 48 < 10 || $0 == 45 }
    }
}

extension String {
    /// The key in the form that flags use: `log-level` for `log.level`.
    var hyphenated: String { String(map { $0 == "." ? "-" : $0 }) }

    /// The key in the form that variables use: `LOG_LEVEL` for `log.level`.
    var capitalisedForVariable: String {
        String(uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
    }
}
