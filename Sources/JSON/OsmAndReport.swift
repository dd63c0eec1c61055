// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Reads a report in the form of OsmAnd, which Traccar Client and GPSLogger have, too:
/// <https://www.traccar.org/osmand/>.
package enum OsmAndReport {
    private static let metresPerSecondInKnot = 1_852.0 / 3_600

    /// Reads the parameters of a query or a form.
    ///
    /// - Parameters:
    ///   - parameter: returns the value of a parameter.
    ///   - now: the time of a report without one, in Unix milliseconds.
    /// - Returns: the position; empty if the report says that its position is not valid.
    package static func points(
        now: UInt64, _ parameter: (String) -> String?
    ) throws(ReportRefusal) -> [TrackPoint] {
        func number(_ names: String...) -> Double? {
            names.compactMap(parameter).first.flatMap { JSONValue.string($0).numeric }
        }
        if ["false", "0"].contains(parameter("valid")) { return [] }
        var time = now
        if let text = parameter("timestamp") {
            // Traccar's form may lack the offset, and means UTC.
            let isUTC = ReportTime.milliseconds(.string(text + "Z")) != nil
            time = try ReportRefusal.time(.string(isUTC ? text + "Z" : text), or: now)
        }
        // Traccar's apps name their device and send knots; OsmAnd and GPSLogger send metres a second.
        let unit = parameter("id") ?? parameter("deviceid") == nil ? 1 : metresPerSecondInKnot
        let both = parameter("location")?.split(separator: ",").map { JSONValue.string(String($0)).numeric } ?? []
        let point = try TrackPoint(
            both.count == 2 ? both[0] : number("lat"), both.count == 2 ? both[1] : number("lon", "lng"), at: time,
            accuracy: number("accuracy", "acc"), speed: number("speed").map { $0 * unit },
            or: "The report has no lat and lon.")
        return [point]
    }

    /// Reads the body of Traccar Client from version 9 on.
    package static func points(_ report: JSONValue, now: UInt64) throws(ReportRefusal) -> [TrackPoint] {
        guard let location = report["location"] else {
            throw .unreadable("The report has no location: it is not one of Traccar Client.")
        }
        let locations = location.elements ?? [location]
        guard locations.count <= ReportRefusal.mostPoints else { throw .tooMany }
        var (points, last) = ([TrackPoint](), ReportRefusal?.none)
        // The app sends a batch again until it is taken, so one unreadable location must not keep the others out.
        for location in locations {
            do throws(ReportRefusal) { points.append(try point(location, now: now)) } catch { last = error }
        }
        if points.isEmpty, let last { throw last }
        return points
    }

    private static func point(_ location: JSONValue, now: UInt64) throws(ReportRefusal) -> TrackPoint {
        let (time, coords) = (try ReportRefusal.time(location["timestamp"], or: now), location["coords"])
        return try TrackPoint(
            coords?["latitude"]?.numeric, coords?["longitude"]?.numeric, at: time,
            accuracy: coords?["accuracy"]?.numeric, speed: coords?["speed"]?.numeric,
            or: "The location has no latitude and longitude.")
    }
}
