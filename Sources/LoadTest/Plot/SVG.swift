// SPDX-License-Identifier: Apache-2.0

import Support

/// Draws charts below each other in one SVG file, which any browser shows. Labels stay text, so they can be searched.
struct SVG {
    private static let width = 900.0
    private static let height = 420.0
    /// The characters of a name that fit if four names are in a row.
    private static let shortName = 24
    private static let mostNames = 40
    private static let nameHeight = 16.0
    private static let margin = (left: 90.0, right: 30.0, top: 50.0, bottom: 60.0)
    // The colours of Okabe and Ito, which colour-blind people can distinguish, too.
    private static let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]

    private static let bands = ["#eaf2fa", "#fbf3e4"]
    /// The usual width of a letter in a band's name.
    private static let letter = 6.0

    private var body = ""

    static func draw(_ charts: [Chart]) -> String { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element(charts) }

    /// Draws the charts as an element that also fits into an HTML page.
    static func element(_ charts: [Chart]) -> String {
        var svg = SVG()
        for (index, chart) in charts.enumerated() { svg.add(chart, at: Double(index) * height) }
        let (width, height) = (Int(width), Int(height * Double(charts.count)))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="system-ui, sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(svg.body)</svg>

            """
    }

    private mutating func add(_ chart: Chart, at top: Double) {
        // More names than this would leave no room for the lines.
        let names = min(chart.lines.count, Self.mostNames) - 1
        let inRow = chart.lines.contains { $0.name.count > Self.shortName } ? 2 : 4
        let frame = (
            left: Self.margin.left, right: Self.width - Self.margin.right,
            // Leave room for the title and the names of the lines.
            top: top + Self.margin.top + Double(names / inRow + 1) * Self.nameHeight,
            bottom: top + Self.height - Self.margin.bottom
        )
        func x(_ value: Double) -> Double { frame.left + chart.x.place(value) * (frame.right - frame.left) }
        func y(_ value: Double) -> Double { frame.bottom - chart.y.place(value) * (frame.bottom - frame.top) }
        text(chart.title, frame.left, top + 22, size: 16)
        for (index, band) in chart.bands.enumerated() {
            let (left, right) = (x(band.range.lowerBound), x(band.range.upperBound))
            body += "<rect x=\"\(Self.short(left))\" y=\"\(Self.short(frame.top))\" "
            body += "width=\"\(Self.short(right - left))\" height=\"\(Self.short(frame.bottom - frame.top))\" "
            body += "fill=\"\(Self.bands[index % Self.bands.count])\"/>\n"
            // A name that does not fit is cut to the part's number.
            let fits = Double(band.name.count) * Self.letter < right - left
            let name = fits ? band.name : String(band.name.prefix { $0 != " " })
            text(name, (left + right) / 2, frame.top + 14, anchor: "middle", size: 11)
        }
        for tick in chart.y.ticks {
            line(frame.left, y(tick.value), frame.right, y(tick.value), "#e0e0e0")
            text(tick.label, frame.left - 8, y(tick.value) + 4, anchor: "end")
        }
        for tick in chart.x.ticks {
            line(x(tick.value), frame.top, x(tick.value), frame.bottom, "#e0e0e0")
            text(tick.label, x(tick.value), frame.bottom + 18, anchor: "middle")
        }
        line(frame.left, frame.top, frame.left, frame.bottom, "#404040")
        line(frame.left, frame.bottom, frame.right, frame.bottom, "#404040")
        text(chart.x.title, (frame.left + frame.right) / 2, frame.bottom + 40, anchor: "middle")
        text(chart.y.title, 18, (frame.top + frame.bottom) / 2, anchor: "middle", isUpright: true)
        let families = chart.lines.map(\.family).distinct
        for (index, one) in chart.lines.enumerated().sorted(by: { $0.1.isBackground && !$1.1.isBackground }) {
            // A line and its reference have the same colour.
            let family = families.firstIndex(of: one.family) ?? index
            let colour = Self.colours[family % Self.colours.count]
            let points = one.points.map { "\(Self.short(x($0.x))),\(Self.short(y($0.y)))" }.joined(separator: " ")
            let dashes = one.isBackground ? " stroke-dasharray=\"6 4\"" : ""
            if one.points.count == 1 {
                // A line with only one point would be invisible, so draw a circle.
                let (x, y) = (Self.short(x(one.points[0].x)), Self.short(y(one.points[0].y)))
                body += "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"4\" fill=\"\(colour)\"/>\n"
            }
            body += "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"\(dashes) points=\"\(points)\"/>\n"
            guard index <= names else { continue }
            let column = Double(index % inRow) * (frame.right - frame.left) / Double(inRow)
            let row = top + Self.margin.top - 6 + Double(index / inRow) * Self.nameHeight
            line(frame.left + column, row - 4, frame.left + column + 25, row - 4, colour, width: 2, dashes)
            text(one.name, frame.left + column + 32, row)
        }
    }

    private mutating func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, width: Int = 1, _ more: String = ""
    ) {
        body += "<line x1=\"\(Self.short(x1))\" y1=\"\(Self.short(y1))\" x2=\"\(Self.short(x2))\" "
        body += "y2=\"\(Self.short(y2))\" stroke=\"\(colour)\" stroke-width=\"\(width)\"\(more)/>\n"
    }

    private mutating func text(
        _ text: String, _ x: Double, _ y: Double, anchor: String = "start", size: Int = 12, isUpright: Bool = false
    ) {
        let turned = isUpright ? " transform=\"rotate(-90 \(Self.short(x)) \(Self.short(y)))\"" : ""
        body += "<text x=\"\(Self.short(x))\" y=\"\(Self.short(y))\" text-anchor=\"\(anchor)\" font-size=\"\(size)\" "
        body += "fill=\"#202020\"\(turned)>\(Self.escaped(text))</text>\n"
    }

    /// Formats a coordinate with a precision of a tenth of a pixel.
    private static func short(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// Escapes a text for XML and HTML, as contents or as a value in double quotes.
    static func escaped(_ text: String) -> String {
        // XML 1.0 does not allow control characters nor U+FFFE and U+FFFF, not even escaped.
        let allowed = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value | 1 == 0xffff
                ? "\u{fffd}" : scalar
        }
        return String(String.UnicodeScalarView(allowed)).inHTML
    }
}
