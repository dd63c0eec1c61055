// SPDX-License-Identifier: Apache-2.0

/// Draws a chart with Braille characters, each of which has two by four dots (Unicode block U+2800). Each line is
/// identified by a letter in the place of some of its dots; the names follow below the chart.
struct TerminalChart {
    private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    /// The letters of the lines. Lines beyond the last letter are drawn without a name.
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    private let columns: Int
    private let rows: Int
    private var cells: [UInt32]
    private var letters: [Int: Character] = [:]

    /// - Parameters:
    ///   - columns, rows: the size of the whole chart with its labels, in characters.
    static func draw(_ chart: Chart, columns: Int, rows: Int) -> [String] {
        let gutter = max(chart.y.ticks.map(\.label.count).max() ?? 0, chart.y.title.count) + 1
        let legend = Self.legend(zip(letters, chart.lines).map { ($0, $1.name) }, columns: columns)
        // Leave room for the title, the titles of the axes, the axis, its labels and the names.
        let (width, height) = (max(10, columns - gutter - 1), max(4, rows - 5 - legend.count))
        var picture = TerminalChart(columns: width, rows: height)
        for (index, line) in chart.lines.enumerated() {
            let points = line.points.map { point in
                (x: dot(chart.x.place(point.x), of: width * 2), y: dot(1 - chart.y.place(point.y), of: height * 4))
            }
            // The first point is joined to itself, because a line may have no other.
            for (from, to) in zip(points.prefix(1) + points, points) { picture.line(from, to) }
            if index < letters.count { picture.name(points, letters[index], shift: index) }
        }
        var labelOf: [Int: String] = [:]
        for tick in chart.y.ticks { labelOf[dot(1 - chart.y.place(tick.value), of: height)] = tick.label }
        func padded(_ text: String) -> String { String(repeating: " ", count: gutter - 1 - text.count) + text }
        var lines = [chart.title, padded(chart.y.title)]
        for row in 0..<height {
            let label = labelOf[row] ?? ""
            lines.append(padded(label) + (label.isEmpty ? " │" : " ┤") + picture.row(row))
        }
        lines.append(String(repeating: " ", count: gutter) + "└" + String(repeating: "─", count: width))
        lines.append(String(repeating: " ", count: gutter + 1) + marks(chart.x, width))
        let free = max(0, width - chart.x.title.count)
        lines.append(String(repeating: " ", count: gutter + 1 + free / 2) + chart.x.title)
        return lines + legend
    }

    /// Returns the names of the lines, each after its letter, with as many names in a row as fit.
    static func legend(_ names: [(letter: Character, name: String)], columns: Int) -> [String] {
        names.map { String("\($0.letter) \($0.name)".prefix(max(8, columns))) }.reduce(into: []) { lines, entry in
            if let last = lines.last, last.count + 3 + entry.count <= columns {
                lines[lines.count - 1] = "\(last)   \(entry)"
            } else {
                lines.append(entry)
            }
        }
    }

    private init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: 0, count: columns * rows)
    }

    /// Returns the one of so many dots in a row that is nearest to a place on an axis.
    private static func dot(_ place: Double, of count: Int) -> Int { Int((place * Double(count - 1)).rounded()) }

    private mutating func set(_ x: Int, _ y: Int) {
        guard (0..<columns * 2).contains(x), (0..<rows * 4).contains(y) else { return }
        cells[y / 4 * columns + x / 2] |= Self.dots[x % 2][y % 4]
    }

    private mutating func line(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) {
        let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
        for step in 0...steps { set(from.x + (to.x - from.x) * step / steps, from.y + (to.y - from.y) * step / steps) }
    }

    /// Writes a line's letter on it, three times if it is long enough, but never over the letter of another.
    private mutating func name(_ line: [(x: Int, y: Int)], _ letter: Character, shift: Int) {
        for part in [0.2, 0.5, 0.8] {
            let wanted = Int(Double(columns * 2) * part) + shift * 6
            // The points are close together, so the nearest point is on the line.
            guard let point = line.min(by: { abs($0.x - wanted) < abs($1.x - wanted) }),
                (0..<columns * 2).contains(point.x), (0..<rows * 4).contains(point.y)
            else { continue }
            let cell = point.y / 4 * columns + point.x / 2
            if letters[cell] == nil { letters[cell] = letter }
        }
    }

    private func row(_ row: Int) -> String {
        let characters = (row * columns..<(row + 1) * columns).map { cell in
            letters[cell] ?? Character(cells[cell] == 0 ? " " : Unicode.Scalar(0x2800 + cells[cell]) ?? " ")
        }
        return String(characters)
    }

    /// Returns the labels of the axis, as many as fit without touching.
    private static func marks(_ axis: Axis, _ width: Int) -> String {
        var text = Array(repeating: Character(" "), count: width)
        var free = 0
        for tick in axis.ticks {
            let place = dot(axis.place(tick.value), of: width)
            let start = min(max(place - tick.label.count / 2, 0), width - tick.label.count)
            guard start >= free, start >= 0 else { continue }
            for (offset, character) in tick.label.enumerated() { text[start + offset] = character }
            free = start + tick.label.count + 1
        }
        return String(text)
    }
}
