// SPDX-License-Identifier: Apache-2.0

/// Converts between the texts of settings and their values.
enum SettingText {
    private static let durations: [(String, Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]
    private static let sizes: [(String, Int64)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
    ]

    static func int(_ text: String) -> Int? {
        // `Int` also accepts "+5", but settings must not.
        text.hasPrefix("+") ? nil : Int(text)
    }

    static func bool(_ text: String) -> Bool? {
        ["true": true, "yes": true, "false": false, "no": false][text.lowercased()]
    }

    static func duration(_ text: String) -> Duration? {
        quantity(text, durations).map { .milliseconds($0) }
    }

    static func bytes(_ text: String) -> Int? {
        // Zero needs no unit.
        text == "0" ? 0 : quantity(text, sizes).flatMap { Int(exactly: $0) }
    }

    /// Returns the shortest text for the duration, whose parts below a millisecond are left out.
    static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        if milliseconds.overflow { return "\(seconds)s" }
        return text(milliseconds.partialValue + attoseconds / 1_000_000_000_000_000, durations, zero: "0s")
    }

    static func text(ofBytes count: Int) -> String {
        text(Int64(count), sizes, zero: "0B")
    }

    private static func text(_ amount: Int64, _ units: [(String, Int64)], zero: String) -> String {
        if amount == 0 { return zero }
        for (unit, size) in units where amount % size == 0 { return "\(amount / size)\(unit)" }
        return "\(amount)"
    }

    private static func quantity(_ text: String, _ units: [(String, Int64)]) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text[digits.endIndex...].drop { $0 == " " }
        guard let amount = Int64(digits), let size = units.first(where: { $0.0 == unit })?.1 else { return nil }
        let product = amount.multipliedReportingOverflow(by: size)
        return product.overflow ? nil : product.partialValue
    }

    /// Returns whether `text` is `host:port`, by the same rules as in an endpoint.
    static func isAddress(_ text: String) -> Bool {
        !text.hasSuffix("*") && !text.contains("//")
            && EndpointText.problem(with: "tcp://\(text)", for: .listening) == nil
    }
}

extension Duration {
    /// Reads a time written as in settings: `500ms`, `5s`, `10m`, `6h`, `1d`.
    public init?(settingText text: String) {
        guard let duration = SettingText.duration(text) else { return nil }
        self = duration
    }
}
