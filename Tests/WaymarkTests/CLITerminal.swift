// SPDX-License-Identifier: Apache-2.0

/// A terminal with the features that `watch` uses: shows what a person sees after all output.
struct CLITerminal {
    private(set) var lines: [String] = [""]
    private var row = 0
    private var column = 0

    /// - Parameter columns: output beyond this column is lost, because lines are not wrapped.
    init(_ text: String, columns: Int) {
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1b}":
                let sequence = rest.prefix { !$0.properties.isAlphabetic }
                rest = rest.dropFirst(sequence.count)
                let number = Int(String(String.UnicodeScalarView(sequence.dropFirst().filter { $0 != "?" })))
                control(rest.popFirst(), number)
            case "\r": column = 0
            case "\n":
                (row, column) = (row + 1, 0)
                if row == lines.count { lines.append("") }
            default:
                if column < columns { put(scalar) }
                column += 1
            }
        }
    }

    private mutating func control(_ letter: Unicode.Scalar?, _ number: Int?) {
        switch letter {
        case "A": row = max(0, row - (number ?? 1))
        case "K": lines[row] = String(lines[row].prefix(column))
        case "J":
            lines[row] = String(lines[row].prefix(column))
            if number == 2 { lines = Array(repeating: "", count: row + 1) } else { lines = Array(lines[...row]) }
        case "H": (row, column) = (0, 0)
        default: break
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        var line = Array(lines[row].unicodeScalars)
        while line.count <= column { line.append(" ") }
        line[column] = scalar
        lines[row] = String(String.UnicodeScalarView(line))
    }
}
