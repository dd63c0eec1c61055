// SPDX-License-Identifier: Apache-2.0

extension SettingsSchema {
    /// The maximum width of the help text, so that a terminal of 80 columns breaks no lines.
    private static let columns = 78

    /// Returns the help text for all keys, each with its default, purpose, flag and variable.
    public func describe() -> String {
        let all = keys + groups.flatMap { group in group.fields.map { $0.within(group.name, "<name>") } }
        return all.map { key in
            let standard = key.isRequired ? "required" : key.defaultText.map { "default \($0)" } ?? "no default"
            let flag = key.kind == .bool ? key.flag : "\(key.flag) \(key.kind.placeholder)"
            var ways = ["    \(flag), \(variable(of: key.name))"]
            if ways[0].count > Self.columns { ways = ["    \(flag),", "    \(variable(of: key.name))"] }
            return (["\(key.name) (\(standard))"] + Self.wrapped(key.help, indent: "    ") + ways)
                .joined(separator: "\n") + "\n"
        }.joined()
    }

    /// Breaks a text into lines of at most `columns` characters.
    private static func wrapped(_ text: String, indent: String) -> [String] {
        var lines: [String] = []
        var line = indent
        for word in text.split(separator: " ") {
            if line.count > indent.count, line.count + 1 + word.count > columns {
                lines.append(line)
                line = indent
            }
            line += (line.count > indent.count ? " " : "") + word
        }
        return lines + (line.count > indent.count ? [line] : [])
    }
}
