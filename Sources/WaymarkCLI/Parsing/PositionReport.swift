// SPDX-License-Identifier: Apache-2.0

import Geodesy
import WaymarkJSON

/// Reads a receiver's position from a JSON object: gpsd's TPV, OwnTracks' location, or any other with `lat` and `lon`.
///
/// The formats are described at <https://gpsd.gitlab.io/gpsd/gpsd_json.html> and
/// <https://owntracks.org/booklet/tech/json/>.
enum PositionReport {
    /// The accepted names of the time member, in lower case and without punctuation; the first one present is used.
    private static let times = ["time", "at", "timestamp", "tst", "ts", "datetime", "fixtime", "recordedat"]

    /// Returns the fix in a report; nil if the report is about something else than the device's position.
    ///
    /// - Throws: ``BadValue`` for a report that cannot be read.
    static func fix(_ json: String) throws(BadValue) -> Fix? {
        guard let report = try? JSONReader.read(Array(json.utf8)), case .object(let members) = report else {
            throw BadValue("the JSON cannot be read.")
        }
        let type = report["_type"]?.string ?? "location"
        if type == "encrypted" { throw BadValue("OwnTracks has encrypted the position: turn its encryption off.") }
        // A waypoint or the border of a region is not the device's position. gpsd's mode is 0 for unknown, 1 for no
        // fix.
        guard type == "location", report["class"]?.string ?? "TPV" == "TPV", report["mode"]?.number ?? 2 >= 2 else {
            return nil
        }
        guard let latitude = report["lat"]?.number, let longitude = (report["lon"] ?? report["lng"])?.number,
            let place = try? Coordinate(latitude: latitude, longitude: longitude)
        else { throw BadValue("the JSON has no lat and lon.") }
        return Fix(place: place, at: try time(members))
    }

    /// Returns the time in Unix milliseconds; nil if there is none.
    private static func time(_ members: [JSONMember]) throws(BadValue) -> UInt64? {
        let plain = Dictionary(
            members.map { ($0.name.lowercased().filter(\.isLetter), $0.value) }, uniquingKeysWith: { $1 })
        for name in times {
            guard let value = plain[name], !value.isNull else { continue }
            guard let time = time(value) else { throw BadValue("the JSON's time cannot be read.") }
            return time
        }
        // Using the time at which the line arrives would be wrong for an old fix, so an unknown name of a time is an
        // error.
        if let name = members.map(\.name).sorted().first(where: isTime) {
            let shown = Escaping.visible(String(name.prefix(40)))
            throw BadValue("the JSON's time has the unknown name \"\(shown)\": call it \"time\".")
        }
        return nil
    }

    /// Reads a time in RFC 3339, or a number: Unix seconds, or from 1e11 on Unix milliseconds.
    private static func time(_ value: JSONValue) -> UInt64? {
        if let time = value.string.flatMap(Timestamp.milliseconds(rfc3339:)) { return time }
        guard let number = value.number, 0..<1e15 ~= number else { return nil }
        return UInt64((number < 1e11 ? number * 1_000 : number).rounded())
    }

    /// Whether the name of a member suggests a time: `serverTime`, `created_at`.
    private static func isTime(_ name: String) -> Bool {
        let words = name.replacing(/[a-z](?=[A-Z])/) { $0.output + "_" }.lowercased().split { !$0.isLetter }
        return words.count > 1 && words.last == "at"
            || !words.contains("zone") && words.contains { ["time", "date", "timestamp", "datetime"].contains($0) }
    }
}

extension JSONValue {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The value as a number. OwnTracks writes some numbers as strings.
    fileprivate var number: Double? {
        switch self {
        case .number(let digits): Double(digits)
        case .string(let text): text.utf8.allSatisfy { $0 < 0x3a } ? Double(text) : nil
        case .null, .bool, .array, .object: nil
        }
    }
}
