// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The unit of a figure.
enum FigureUnit: String, Codable {
    case perSecond = "per_s"
    case microseconds = "us"
    case seconds = "s"
    case bytes, count

    /// The value with three significant digits: `102,000/s`, `84.1 µs`.
    func text(_ value: Double) -> String {
        switch self {
        case .perSecond: Self.number(value) + "/s"
        case .microseconds: value >= 10_000 ? Self.number(value / 1_000) + " ms" : Self.number(value) + " µs"
        case .seconds: Self.number(value) + " s"
        case .bytes: Self.number(value) + " B"
        case .count: Self.number(value)
        }
    }

    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "none" }
        guard value != 0 else { return "0" }
        let digits = 2 - Int(log10(abs(value)).rounded(.down))
        guard digits <= 0 else { return String(format: "%.\(min(digits, 4))f", value) }
        let step = pow(10, Double(-digits))
        return grouped(Int((value / step).rounded() * step))
    }

    /// The value with separated thousands: `1,000,000`.
    static func grouped(_ value: Int) -> String {
        let digits = Array(String(abs(value)))
        let text = digits.enumerated().map { place, digit in
            let rest = digits.count - place
            return place > 0 && rest % 3 == 0 ? ",\(digit)" : "\(digit)"
        }.joined()
        return value < 0 ? "-" + text : text
    }
}
