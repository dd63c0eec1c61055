// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Computes sunrise and sunset on a day at a position. The results are within four minutes of PyPI's astral between 60
/// degrees north and south.
///
/// The formulas are from NOAA's "General Solar Position Calculations" (Global Monitoring Laboratory). At sunrise the
/// sun is 0.833 degrees below the horizon, at civil dawn 6 degrees.
public struct SolarDay: Sendable {
    /// The position in degrees, WGS84.
    let latitude: Double
    let longitude: Double

    /// Returns the minutes after midnight UTC of the date, which may be negative or more than 1,440. Nil if the sun
    /// does not pass the height of the event on that day.
    func minutes(of event: TimeSpan.Event, on date: CivilDate) -> Double? {
        let dayOfYear = Double(date.days - CivilDate(year: date.year, month: 1, day: 1).days)
        // Use the angle at about local noon.
        let angle = 2 * Double.pi / 365.25 * (dayOfYear + 0.5 - longitude / 360)
        let equation =
            229.18
            * (0.000075 + 0.001868 * cos(angle) - 0.032077 * sin(angle) - 0.014615 * cos(2 * angle)
                - 0.040849 * sin(2 * angle))
        let declination =
            0.006918 - 0.399912 * cos(angle) + 0.070257 * sin(angle) - 0.006758 * cos(2 * angle)
            + 0.000907 * sin(2 * angle) - 0.002697 * cos(3 * angle) + 0.00148 * sin(3 * angle)
        let zenith = (event == .sunrise || event == .sunset ? 90.833 : 96) * Double.pi / 180
        let height = latitude * Double.pi / 180
        let cosine = cos(zenith) / (cos(height) * cos(declination)) - tan(height) * tan(declination)
        guard abs(cosine) <= 1 else { return nil }
        let hours = acos(cosine) * 180 / Double.pi
        let isMorning = event == .sunrise || event == .dawn
        return 720 - 4 * (longitude + (isMorning ? hours : -hours)) - equation
    }
}
