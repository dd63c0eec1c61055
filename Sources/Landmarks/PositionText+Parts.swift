// SPDX-License-Identifier: Apache-2.0

public import Geodesy

extension PositionText {
    /// Formats `33°51'24.5"S 151°12'55.1"E`, precise to a tenth of a second, or 3 m. ``coordinate(_:)`` reads the
    /// result.
    public static func degreesMinutesSeconds(_ position: Coordinate) -> String {
        parts(position.latitude, "N", "S") + " " + parts(position.longitude, "E", "W")
    }

    private static func parts(_ degrees: Double, _ positive: String, _ negative: String) -> String {
        let tenths = Int((abs(degrees) * 36_000).rounded())
        let minutes = tenths / 600 % 60
        return "\(tenths / 36_000)°\(minutes)'\(tenths / 10 % 60).\(tenths % 10)\"\(degrees < 0 ? negative : positive)"
    }
}
