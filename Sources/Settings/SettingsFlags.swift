// SPDX-License-Identifier: Apache-2.0

/// Reads the settings given as flags: `--log-level debug`, `--log-level=debug`, or only `--insecure` for a boolean.
enum SettingsFlags {
    static func read(_ arguments: [String], _ schema: SettingsSchema) throws(SettingsError) -> SettingsLayer {
        var layer = SettingsLayer()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), argument.count > 2 else {
                throw .unexpectedArgument(String(argument.prefix(80)))
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let flag = parts[0]
            guard let key = schema.key(hyphenated: String(flag.dropFirst(2))) else {
                let nearest = schema.nearest(to: String(flag.dropFirst(2)))
                throw .unknownKey(.flag(String(flag.prefix(80))), key: flag, nearest: nearest?.flag)
            }
            let text: String
            if parts.count == 2 {
                text = parts[1]
            } else if key.kind == .bool {
                text = "true"
            } else if let next = rest.first, !next.hasPrefix("--") {
                text = next
                rest.removeFirst()
            } else {
                throw .valueMissing(flag: flag)
            }
            try layer.add(key, text, from: .flag(flag))
        }
        return layer
    }
}
