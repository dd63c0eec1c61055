// SPDX-License-Identifier: Apache-2.0

import Geodesy
import WaymarkJSON

/// A sentence of NMEA 0183 with a position. RMC has time and date; GGA, GLL and GNS have only the time of day.
///
/// The fields follow gpsd's "NMEA Revealed" (<https://gpsd.gitlab.io/gpsd/NMEA.html>).
struct NMEASentence: Hashable {
    var isRMC = false
    /// The position; nil if the receiver does not know its position.
    var place: Coordinate?
    /// The time in Unix milliseconds; nil if the sentence has no date. Only RMC has a date.
    var at: UInt64?
    /// The time of day as a number with the digits in the sentence, `123519.25`; nil if the sentence has none.
    var timeOfDay: Double?

    /// Reads a sentence; returns nil for a sentence without a position, such as one about satellites.
    ///
    /// - Throws: ``BadValue`` if the checksum or a field is wrong, because a serial line loses characters.
    init?(_ line: String) throws(BadValue) {
        guard let star = line.firstIndex(of: "*") else { throw BadValue("the NMEA sentence has no checksum.") }
        let (body, rest) = (line[..<star].dropFirst(), line[star...].dropFirst())
        // Some programs write more text after the checksum, such as `,1785600000`.
        let isEnd = rest.dropFirst(2).first.map { !$0.isLetter && !$0.isNumber } ?? true
        guard !body.isEmpty, isEnd, UInt8(rest.prefix(2), radix: 16) == body.utf8.reduce(0, ^) else {
            throw BadValue("the NMEA sentence's checksum is wrong.")
        }
        let fields = body.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        let kind = fields[0].suffix(3)
        switch kind {
        case "RMC":
            guard fields.count > 9 else { throw BadValue("the RMC sentence is too short.") }
            isRMC = true
            guard fields[2] == "A" else { return }
            place = try Self.place(fields[3...6])
            at = try Self.time(fields[1], date: fields[9])
        case "GGA", "GNS":
            guard fields.count > 6 else { throw BadValue("the \(kind) sentence is too short.") }
            timeOfDay = Double(fields[1])
            // GNS has a letter for each satellite system. N means that this system does not know the position.
            let hasFix = kind == "GGA" ? Int(fields[6]) ?? 0 > 0 : fields[6].contains { $0 != "N" }
            guard hasFix else { return }
            place = try Self.place(fields[2...5])
        case "GLL":
            // Old receivers send only the position in GLL, without a time.
            guard fields.count > 4 else { throw BadValue("the GLL sentence is too short.") }
            if fields.count > 5 { timeOfDay = Double(fields[5]) }
            guard fields.count < 7 || fields[6] == "A" else { return }
            place = try Self.place(fields[1...4])
        default: return nil
        }
    }

    /// Reads a position: `3351.408,S,15112.918,E`, in which each number combines degrees and minutes.
    private static func place(_ fields: ArraySlice<String>) throws(BadValue) -> Coordinate {
        let fields = Array(fields)
        guard let latitude = degrees(fields[0], 2, fields[1], "N", "S"),
            let longitude = degrees(fields[2], 3, fields[3], "E", "W"),
            let place = try? Coordinate(latitude: latitude, longitude: longitude)
        else { throw BadValue("the NMEA sentence's position cannot be read.") }
        return place
    }

    private static func degrees(
        _ text: String, _ digits: Int, _ side: String, _ positive: String, _ negative: String
    ) -> Double? {
        let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, side == positive || side == negative, text.utf8.count > digits,
            let whole = Double(text.prefix(digits)), let minutes = Double(text.dropFirst(digits)), minutes < 60
        else { return nil }
        return (whole + minutes / 60) * (side == negative ? -1 : 1)
    }

    /// Reads a time and a date: `123519.25` and `230394`. Years from 80 on are in the 20th century: GPS began in 1980.
    private static func time(_ time: String, date: String) throws(BadValue) -> UInt64? {
        guard !date.isEmpty, !time.isEmpty else { return nil }
        func pair(_ text: String, _ place: Int) -> Substring { text.dropFirst(2 * place).prefix(2) }
        guard date.utf8.count == 6, time.utf8.count >= 6, let year = Int(pair(date, 2)),
            let found = Timestamp.milliseconds(
                rfc3339: "\(year >= 80 ? 19 : 20)\(pair(date, 2))-\(pair(date, 1))-\(pair(date, 0))"
                    + "T\(pair(time, 0)):\(pair(time, 1)):\(time.dropFirst(4).prefix(12))Z")
        else { throw BadValue("the NMEA sentence's time cannot be read.") }
        return found
    }
}
