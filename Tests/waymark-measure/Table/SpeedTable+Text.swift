// SPDX-License-Identifier: Apache-2.0

extension SpeedTable {
    /// The columns of a terminal.
    private static let width = 80

    /// For a terminal: what was measured, its figures and its remarks, each on lines of at most 80 columns.
    func text() -> String {
        var text = isSmokeTest ? ["A smoke test: the figures mean nothing.", ""] : []
        text += Self.lines(words: "\(command), \(at), \(rounds) rounds, \(machine.cpu)", indent: 0)
        var row: RowName?
        for line in lines {
            if line.row != row { text += ["", line.row.rawValue] }
            row = line.row
            let cells = Self.cells(line)
            text += Self.lines(words: line.what, indent: 2)
            let verdict = line.isReached.map { $0 ? "reached" : "NOT REACHED" } ?? cells[6]
            text += Self.lines(Array(cells[2...5]) + [verdict], separator: "  ", indent: 4)
            text += Self.lines(words: cells[7], indent: 4)
        }
        return text.joined(separator: "\n") + "\n"
    }

    private static func lines(words: String, indent: Int) -> [String] {
        let words = words.split(whereSeparator: \.isWhitespace).map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        }
        return lines(words, separator: " ", indent: indent)
    }

    /// Pieces that are not measured are left out.
    private static func lines(_ pieces: [String], separator: String, indent: Int) -> [String] {
        var lines: [String] = []
        for piece in pieces where piece != "–" {
            if let last = lines.last, last.count + separator.count + piece.count <= width {
                lines[lines.count - 1] += separator + piece
            } else {
                lines.append(String(repeating: " ", count: indent) + piece)
            }
        }
        return lines
    }
}
