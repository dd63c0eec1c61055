// SPDX-License-Identifier: Apache-2.0

/// Draws a chart with Braille dots: each character holds two by four of them (Unicode block U+2800).
struct TerminalChart {
    private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    private let columns: Int
    private let rows: Int
    private var cells: [UInt32]

    /// - Parameters:
    ///   - columns, rows: of the whole picture, with its labels.
    static func draw(_ chart: Chart, columns: Int, rows: Int) -> [String] {
        let labels = chart.y.ticks.map(\.label)
        let gutter = (labels.map(\.count).max() ?? 0) + 1
        let (width, height) = (max(10, columns - gutter - 1), max(4, rows - 3))
        var picture = TerminalChart(columns: width, rows: height)
        for line in chart.lines {
            let places = line.points.map { point in
                (
                    x: Int((chart.x.place(point.x) * Double(width * 2 - 1)).rounded()),
                    y: Int(((1 - chart.y.place(point.y)) * Double(height * 4 - 1)).rounded())
                )
            }
            if let first = places.first { picture.set(first.x, first.y) }
            for (from, to) in zip(places, places.dropFirst()) { picture.line(from, to) }
        }
        var labelOf: [Int: String] = [:]
        for tick in chart.y.ticks {
            labelOf[Int(((1 - chart.y.place(tick.value)) * Double(height - 1)).rounded())] = tick.label
        }
        var lines = [chart.title]
        for row in 0..<height {
            let label = labelOf[row] ?? ""
            lines.append(
                String(repeating: " ", count: gutter - 1 - label.count) + label + (label.isEmpty ? " │" : " ┤")
                    + picture.row(row))
        }
        lines.append(String(repeating: " ", count: gutter) + "└" + String(repeating: "─", count: width))
        lines.append(String(repeating: " ", count: gutter + 1) + marks(chart.x, width))
        return lines
    }

    private init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: 0, count: columns * rows)
    }

    private mutating func set(_ x: Int, _ y: Int) {
        guard (0..<columns * 2).contains(x), (0..<rows * 4).contains(y) else { return }
        cells[y / 4 * columns + x / 2] |= Self.dots[x % 2][y % 4]
    }

    private mutating func line(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) {
        let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
        for step in 0...steps {
            set(from.x + (to.x - from.x) * step / steps, from.y + (to.y - from.y) * step / steps)
        }
    }

    private func row(_ row: Int) -> String {
        var text = ""
        for cell in cells[row * columns..<(row + 1) * columns] {
            text.unicodeScalars.append(cell == 0 ? " " : Unicode.Scalar(0x2800 + cell) ?? " ")
        }
        return text
    }

    /// As many of the axis's labels as fit without touching.
    private static func marks(_ axis: Axis, _ width: Int) -> String {
        var text = Array(repeating: Character(" "), count: width)
        var free = 0
        for tick in axis.ticks {
            let place = Int((axis.place(tick.value) * Double(width - 1)).rounded())
            let start = min(max(place - tick.label.count / 2, 0), width - tick.label.count)
            guard start >= free, start >= 0 else { continue }
            for (offset, character) in tick.label.enumerated() { text[start + offset] = character }
            free = start + tick.label.count + 1
        }
        return String(text)
    }
}
