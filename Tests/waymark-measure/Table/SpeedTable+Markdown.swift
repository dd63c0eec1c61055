// SPDX-License-Identifier: Apache-2.0

import Foundation

extension SpeedTable {
    /// For people: a paragraph about the run, then the table.
    func markdown() -> String {
        let gibibytes = String(format: "%.0f", Double(machine.memory) / 1_073_741_824)
        let versions = machine.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        var text = ""
        if isSmokeTest {
            text += "**A smoke test: sizes and times are too small for these figures to mean anything.**\n\n"
        }
        text += """
            Made \(at) in \(FigureUnit.seconds.text(seconds)) by `\(command)`, with \(FigureUnit.grouped(landmarks)) \
            landmarks, on \(machine.cpu), \(machine.cores) cores, \(gibibytes) GiB, Linux \(machine.kernel). \
            Measured and rival take turns, \(rounds) rounds of each; a figure is the median of the rounds, and a ratio that \
            of the rounds' ratios, with the least and the greatest behind it. \(versions.joined(separator: ", ")).

            \(calibration?.text ?? "The machine itself was not measured.")

            | row | what | measured | beside | ratio | must reach | reached | remarks |
            |---|---|---:|---:|---:|---:|---|---|

            """
        for line in lines { text += "| " + Self.cells(line).map(Self.escape).joined(separator: " | ") + " |\n" }
        return text
    }

    /// Row, what, measured, beside, ratio, must reach, reached, remarks.
    static func cells(_ line: TableLine) -> [String] {
        if let missing = line.missing {
            return [line.row.rawValue, line.what, "–", "–", "–", "–", "not measured", missing]
        }
        return [
            line.row.rawValue, line.what, line.measured.map { line.unit.text($0.median) } ?? "–",
            line.rival.map { "\($0.name): \(line.unit.text($0.figures.median))" } ?? "–",
            line.ratio.map(ratio) ?? "–", line.goal.map { goal($0, line.unit) } ?? "–",
            line.isReached.map { $0 ? "yes" : "**no**" } ?? "–", line.remarks.joined(separator: " "),
        ]
    }

    private static func ratio(_ spread: Spread) -> String {
        let (least, greatest) = (FigureUnit.number(spread.least), FigureUnit.number(spread.greatest))
        return "\(FigureUnit.number(spread.median)) (\(least)–\(greatest))"
    }

    private static func goal(_ goal: Goal, _ unit: FigureUnit) -> String {
        let sign = goal.side == .atLeast ? "≥" : "≤"
        return goal.figure == .ratio
            ? "\(sign) \(FigureUnit.number(goal.bound)) ×" : "\(sign) \(unit.text(goal.bound))"
    }

    /// Escapes characters that would end a cell or a line.
    private static func escape(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar -> String in
                switch scalar {
                case "|": "\\|"
                case _ where scalar.properties.generalCategory == .control: " "
                default: String(scalar)
                }
            }.joined())
    }
}
