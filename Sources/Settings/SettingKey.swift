// SPDX-License-Identifier: Apache-2.0

/// One setting. It has the same key in the file, the environment and the flags.
public struct SettingKey: Hashable, Sendable {
    /// Words of lower-case letters, digits and hyphens, joined by dots, such as `log.level`. In YAML each dot is a
    /// level.
    public let name: String
    public let kind: SettingKind
    /// The value if no layer gives one; nil if there is no default. Only a setting without a default may be left
    /// empty.
    public let defaultText: String?
    /// Whether a value must be given. Only fields of a group can be required.
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

    /// `--log-level`.
    public var flag: String { "--" + name.hyphenated }

    /// The full key of this field for one member of a group: `url` becomes `sources.sydney.url`.
    func within(_ group: String, _ member: String) -> SettingKey {
        SettingKey("\(group).\(member).\(name)", kind, default: defaultText, isRequired: isRequired, help: help)
    }
}

/// Settings that repeat for each named member: `sources.<name>.url`.
public struct SettingGroup: Hashable, Sendable {
    public let name: String
    public let fields: [SettingKey]

    public init(_ name: String, fields: [SettingKey]) {
        self.name = name
        self.fields = fields
    }

    /// 1 to 64 lower-case letters, digits and hyphens, not beginning with a hyphen, because names become part of
    /// flags and variables.
    public static func isMemberName(_ name: some StringProtocol) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
            && name.utf8.allSatisfy { $0 &- 97 < 26 || $0 &- 48 < 10 || $0 == 45 }
    }
}

extension String {
    /// The form used in flags: `log-level`.
    var hyphenated: String { String(map { $0 == "." ? "-" : $0 }) }

    /// The form used in variables: `LOG_LEVEL`.
    var capitalisedForVariable: String {
        String(uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
    }
}
