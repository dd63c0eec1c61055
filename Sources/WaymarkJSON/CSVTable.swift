// SPDX-License-Identifier: Apache-2.0

/// Writes a table of comma-separated values (RFC 4180).
enum CSVTable {
    /// Returns a line with its end. Control characters become spaces, except tabs and line feeds.
    static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String {
        var (cell, isQuoted) = (String.UnicodeScalarView(), text.first == " " || text.last == " ")
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            cell.append(isControl && scalar != "\n" && scalar != "\t" ? " " : scalar)
            if scalar == "\"" { cell.append(scalar) }
            if scalar == "\"" || scalar == "," || isControl { isQuoted = true }
        }
        return isQuoted ? "\"\(String(cell))\"" : String(cell)
    }
}
