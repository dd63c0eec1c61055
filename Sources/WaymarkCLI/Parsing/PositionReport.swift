// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkJSON

/// Reads a receiver's positions from a JSON object: gpsd's TPV, a report of a phone's app, or any other object with `lat`,
/// `lon` and a time.
///
/// gpsd's format is described at <https://gpsd.gitlab.io/gpsd/gpsd_json.html>.
enum PositionReport {
    /// The accepted names of the time member, in lower case and without punctuation; the first one present is used.
    private static let times = ["time", "at", "timestamp", "tst", "ts", "datetime", "fixtime", "recordedat"]

    /// Returns the fixes in a report; none if the report is about something else than the device's position.
    ///
    /// - Throws: ``BadValue`` for a report that cannot be read.
    static func fixes(_ json: String) throws(BadValue) -> [Fix] {
        guard let report = try? JSONReader.read(Array(json.utf8)), case .object(let members) = report else {
            throw BadValue("the JSON cannot be read.")
        }
        if let points = try phone(report) {
            return points.map { Fix(place: $0.coordinate, at: $0.at > 0 ? $0.at : nil) }
        }
        // The mode of gpsd is 0 for unknown, 1 for no fix.
        let type = report["class"]?.text
        guard type ?? "TPV" == "TPV", report["mode"]?.numeric ?? 2 >= 2 else { return [] }
        guard let latitude = report["lat"]?.numeric, let longitude = (report["lon"] ?? report["lng"])?.numeric,
            let place = try? Coordinate(latitude: latitude, longitude: longitude)
        else { throw BadValue("the JSON has no lat and lon.") }
        let time = try time(members)
        // An object of an unknown program may say where something else was, or will be.
        guard time != nil || type != nil else { throw BadValue("the JSON has no time: add \"time\".") }
        return [Fix(place: place, at: time)]
    }

    /// Returns the positions in the report of a phone's app, with the time 0 if it has none; nil for another report.
    private static func phone(_ report: JSONValue) throws(BadValue) -> [TrackPoint]? {
        try BadValue.unless {
            if report["_type"] != nil { return try OwnTracksReport.points(report, now: 0) }
            if report["locations"] != nil { return try OverlandReport.points(report) }
            return try report["location"] == nil ? nil : OsmAndReport.points(report, now: 0)
        }
    }

    /// Returns the time in Unix milliseconds; nil if there is none.
    private static func time(_ members: [JSONMember]) throws(BadValue) -> UInt64? {
        let plain = Dictionary(
            members.map { ($0.name.lowercased().filter(\.isLetter), $0.value) }, uniquingKeysWith: { $1 })
        if let value = times.lazy.compactMap({ plain[$0] }).first(where: { !$0.isNull }) {
            return try ReportTime.milliseconds(value).orBad("the JSON's time cannot be read.")
        }
        // Using the time at which the line arrives would be wrong for an old fix, so an unknown name of a time is an
        // error.
        if let name = members.map(\.name).sorted().first(where: isTime) {
            let shown = Escaping.visible(String(name.prefix(40)))
            throw BadValue("the JSON's time has the unknown name \"\(shown)\": call it \"time\".")
        }
        return nil
    }

    /// Whether the name of a member suggests a time: `serverTime`, `created_at`.
    private static func isTime(_ name: String) -> Bool {
        let words = name.replacing(/[a-z](?=[A-Z])/) { $0.output + "_" }.lowercased().split { !$0.isLetter }
        return words.count > 1 && words.last == "at"
            || !words.contains("zone") && words.contains { ["time", "date", "timestamp", "datetime"].contains($0) }
    }
}
