// SPDX-License-Identifier: Apache-2.0

/// Writes metrics in the text format of Prometheus, version 0.0.4.
///
/// From the description of the format: "Label values can be any sequence of UTF-8 characters, but the backslash (\),
/// double-quote ("), and line feed (\n) characters have to be escaped as \\, \", and \n, respectively." In help texts
/// only the backslash and the line feed are escaped. "Each bucket count of a histogram x is given as a separate sample
/// line with the name x_bucket and a label {le="y"}"; a bucket counts all values up to its bound; "a histogram must have
/// a bucket with {le="+Inf"}. Its value must be identical to the value of x_count."
public enum PrometheusText {
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Writes the metrics in the order of their names, and the series of each metric in the order of their labels.
    /// Leaves out metrics without series.
    public static func write(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families.sorted(by: { $0.definition.name < $1.definition.name }) where !family.series.isEmpty {
            write(family, to: &text)
        }
        return text
    }

    private static func write(_ family: MetricFamily, to text: inout String) {
        let (definition, name) = (family.definition, family.definition.name)
        if !definition.help.isEmpty { text += "# HELP \(name) \(escaped(definition.help, quotes: false))\n" }
        text += "# TYPE \(name) \(definition.kind.rawValue)\n"
        for series in family.series.sorted(by: { $0.labels.lexicographicallyPrecedes($1.labels) }) {
            let labels = Array(zip(definition.labels, series.labels))
            switch series.value {
            case .number(let value):
                text += "\(name)\(braces(labels)) \(number(value))\n"
            case .histogram(let counts, let sum):
                var total: UInt64 = 0
                for (place, count) in counts.enumerated() {
                    total += count
                    let bound = place < definition.bounds.count ? definition.bounds[place] : .infinity
                    text += "\(name)_bucket\(braces(labels + [("le", number(bound))])) \(total)\n"
                }
                text += "\(name)_sum\(braces(labels)) \(number(sum))\n"
                text += "\(name)_count\(braces(labels)) \(total)\n"
            }
        }
    }

    private static func braces(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ",") + "}"
    }

    /// Returns the text of a number. Whole numbers are written without a fraction, up to the largest that a double
    /// represents exactly.
    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if value == value.rounded(), abs(value) < 9_007_199_254_740_992 { return "\(Int64(value))" }
        return "\(value)"
    }

    private static let marks: [Unicode.Scalar: String] = ["\\": "\\\\", "\n": "\\n", "\"": "\\\""]

    private static func escaped(_ text: String, quotes: Bool) -> String {
        text.unicodeScalars.map { $0 == "\"" && !quotes ? "\"" : marks[$0] ?? String($0) }.joined()
    }
}
