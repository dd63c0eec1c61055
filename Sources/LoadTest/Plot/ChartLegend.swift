// SPDX-License-Identifier: Apache-2.0

/// The names of a chart's lines, each after its letter, with as many names in a row as fit.
enum ChartLegend {
    private static let gap = 3

    static func lines(_ names: [(letter: Character, name: String)], columns: Int) -> [String] {
        var lines: [String] = []
        for (letter, name) in names {
            let entry = String("\(letter) \(name)".prefix(max(8, columns)))
            if let last = lines.last, last.count + gap + entry.count <= columns {
                lines[lines.count - 1] = last + String(repeating: " ", count: gap) + entry
            } else {
                lines.append(entry)
            }
        }
        return lines
    }
}
