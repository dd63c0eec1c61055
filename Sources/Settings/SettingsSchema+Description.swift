// SPDX-License-Identifier: Apache-2.0

extension SettingsSchema {
    /// All keys as an aligned table: key, default, flag, variable, and what it is for in a line below.
    public func describe() -> String {
        let all = keys + groups.flatMap { group in group.fields.map { $0.within(group.name, "<name>") } }
        let rows = all.map { key in
            (
                cells: [
                    key.name, key.isRequired ? "(required)" : key.defaultText ?? "(none)",
                    key.kind == .bool ? key.flag : "\(key.flag) \(key.kind.placeholder)", variable(of: key.name),
                ], help: key.help
            )
        }
        let header = ["key", "default", "flag", "variable"]
        let widths = header.indices.map { column in
            (rows.map(\.cells) + [header]).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ").trimmedAtEnd
        }
        return ([line(header)] + rows.flatMap { [line($0.cells), "    \($0.help)"] }).joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
