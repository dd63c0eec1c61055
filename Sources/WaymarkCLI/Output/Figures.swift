// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Glibc
import WaymarkJSON

/// Formats numbers for people.
enum Figures {
    /// Formats a distance in the given unit. Without a unit, distances below 10 km are in metres with three decimals,
    /// `444.984 m`, and others in kilometres, `12.345 km`.
    static func distance(_ metres: Double?, in unit: DistanceUnit? = nil) -> String {
        guard let metres, metres.isFinite else { return "-" }
        return (unit ?? (metres < 10_000 ? .m : .km)).text(metres)
    }

    /// Formats a number with this many decimals, without `String(format:)`, whose first call prepares Foundation.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        // The largest number has 309 digits before the point.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { text in
            let count = withVaList([CInt(clamping: digits), value]) {
                vsnprintf(text.baseAddress, text.count, "%.*f", $0)
            }
            return String(decoding: UnsafeRawBufferPointer(text).prefix(Int(max(0, count))), as: UTF8.self)
        }
    }

    /// Formats a direction as degrees clockwise from north and the point of the compass: `208° SSW`.
    static func bearing(_ degrees: Double?) -> String {
        guard let degrees, degrees.isFinite else { return "-" }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let turned = rest < 0 ? rest + 360 : rest
        return "\(Int(turned.rounded()) % 360)° \(Geodesic.compassPoint(turned))"
    }

    /// Formats a position as people type it: `-33.8568,151.2153`. The seventh decimal is about a centimetre on the
    /// ground, and further ones come only from arithmetic. With 5 decimals, about a metre, it has at most 20 columns.
    static func position(_ coordinate: Coordinate, digits: Int = 7) -> String {
        "\(decimal(coordinate.latitude, digits)),\(decimal(coordinate.longitude, digits))"
    }

    /// Formats a number with at most `digits` decimals and without zeros at the end: `-0.000001`, never `-1e-06`.
    private static func decimal(_ value: Double, _ digits: Int) -> String {
        var text = fixed(value, digits)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// Formats a number with the shortest digits that parse to the same number, without `.0` at the end.
    static func number(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Formats a whole number with a comma between thousands.
    static func count(_ count: some BinaryInteger) -> String { count.grouped }

    /// Formats a number with its noun: `1 change`, `12 changes`.
    static func count(_ count: UInt64, _ one: String, _ many: String) -> String {
        "\(self.count(count)) \(count == 1 ? one : many)"
    }

    /// Formats a duration: `850 ms`, `12.5 s`, `3 min 20 s`, `5 h 2 min`, `12 d 3 h`.
    static func duration(_ milliseconds: UInt64) -> String {
        let seconds = milliseconds / 1_000
        return switch seconds {
        case ..<1: "\(milliseconds) ms"
        case ..<60: "\(fixed(Double(milliseconds) / 1_000, 1)) s"
        case ..<3_600: "\(seconds / 60) min \(seconds % 60) s"
        case ..<86_400: "\(seconds / 3_600) h \(seconds / 60 % 60) min"
        default: "\(seconds / 86_400) d \(seconds / 3_600 % 24) h"
        }
    }

    /// Formats a time in Unix milliseconds; `never` for 0.
    static func time(_ milliseconds: UInt64) -> String { milliseconds == 0 ? "never" : Timestamp.local(milliseconds) }

    /// Formats a size: `512 B`, `3.4 KiB`, `12.0 MiB`.
    static func bytes(_ count: UInt64) -> String {
        if count < 1_024 { return "\(count) B" }
        var value = Double(count) / 1_024
        for unit in ["KiB", "MiB", "GiB"] {
            if value < 1_024 { return "\(fixed(value, 1)) \(unit)" }
            value /= 1_024
        }
        return "\(fixed(value, 1)) TiB"
    }
}
