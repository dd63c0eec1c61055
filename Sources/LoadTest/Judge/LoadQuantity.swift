// SPDX-License-Identifier: Apache-2.0

/// Reads and formats the figures of a run as people write them.
public enum LoadQuantity {
    private static let durations: [(String, Double)] = [("ns", 0.001), ("us", 1), ("µs", 1), ("ms", 1_000), ("s", 1e6)]
    private static let multiples: [(String, Double)] = [("k", 1_000), ("K", 1_000), ("M", 1e6)]

    /// Reads a value in the given unit; nil unless the text is a finite number of at least 0 with its suffix.
    public static func read(_ text: String, as unit: LoadMetric.Unit) -> Double? {
        switch unit {
        case .microseconds: number(text, durations, needsSuffix: true)
        case .perSecond: number(text, multiples)
        // Divide by 100, because 0.01 has no exact binary form.
        case .fraction: text.hasSuffix("%") ? number(String(text.dropLast()), []).map { $0 / 100 } : number(text, [])
        case .count: number(text, multiples)
        }
    }

    /// Reads a time with ms, s, m or h and returns seconds.
    static func seconds(_ text: String) -> Double? {
        number(text, [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)], needsSuffix: true)
    }

    static func example(_ unit: LoadMetric.Unit) -> String {
        switch unit {
        case .microseconds: "250us, 5ms or 1s"
        case .perSecond: "50000 or 50k"
        case .fraction: "0.95 or 95%"
        case .count: "0, 1k or 1%"
        }
    }

    /// Formats a value with three significant digits and a suitable unit.
    public static func text(_ value: Double, _ unit: LoadMetric.Unit) -> String {
        switch unit {
        case .microseconds:
            value >= 999_500
                ? digits(value / 1e6) + " s" : value >= 999.5 ? digits(value / 1_000) + " ms" : digits(value) + " µs"
        case .perSecond: multiple(value) + "/s"
        case .fraction: digits(value * 100) + " %"
        case .count: multiple(value)
        }
    }

    /// Formats the whole part of a number with a comma between thousands.
    static func grouped(_ value: Double) -> String {
        // The value may come from a report that somebody else wrote.
        guard (0..<1e15).contains(value) else { return digits(value) }
        var text = Array("\(Int64(value))")
        for place in stride(from: text.count - 3, to: 0, by: -3) { text.insert(",", at: place) }
        return String(text)
    }

    private static func multiple(_ value: Double) -> String {
        value >= 999_500 ? digits(value / 1e6) + " M" : value >= 9_995 ? digits(value / 1_000) + " k" : digits(value)
    }

    /// Formats a number with three significant digits; `-` for infinity and NaN.
    public static func digits(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        // The value may be too large for Int64, because a report read from a file may contain any number.
        guard abs(value) < 1e15 else { return value.description }
        let places = value == 0 || abs(value) >= 99.95 ? 0 : abs(value) >= 9.995 ? 1 : 2
        let rounded = Int64((value * [1, 10, 100][places]).rounded())
        var text = "\(abs(rounded))"
        text = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
        if places > 0 { text.insert(".", at: text.index(text.endIndex, offsetBy: -places)) }
        return (rounded < 0 ? "-" : "") + text
    }

    private static func number(_ text: String, _ suffixes: [(String, Double)], needsSuffix: Bool = false) -> Double? {
        // Try longer suffixes first, so that "ms" is not read as "s".
        let found = suffixes.sorted { $0.0.count > $1.0.count }.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(found?.0.count ?? 0)
        guard found != nil || !needsSuffix || text == "0", let value = Double(digits), value.isFinite, value >= 0,
            digits.first?.isNumber == true
        else { return nil }
        return value * (found?.1 ?? 1)
    }
}
