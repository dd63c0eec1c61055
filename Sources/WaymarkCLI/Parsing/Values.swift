// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
import Landmarks
import LoadTest
import Settings
import WaymarkJSON
import WebServer

/// Reads the values of options and arguments. Each function throws one sentence that says what is wrong.
enum Values {
    /// Reads a position: `LAT,LON` in degrees, or another form that ``PositionText`` reads.
    static func position(_ text: String) throws(BadValue) -> Coordinate {
        try BadValue.unless { try PositionText.coordinate(text) }
    }

    /// Reads a distance and returns metres: `800m`, `1.5km`, `2mi`, or a number without a unit, in metres.
    static func distance(_ text: String) throws -> Double {
        try measure(text, metresPerUnit).within(0...Double.greatestFiniteMagnitude)
            .orBad("a distance is a number with m, km or mi, such as 800m or 1.5km.")
    }

    /// Reads a duration: `500ms`, `5s`, `2m`, `1h`.
    static func duration(_ text: String) throws -> Duration {
        let seconds = try measure(text, secondsPerUnit).within(0.001...86_400)
            .orBad("a time is a number with ms, s, m or h, from 1ms to 24h, such as 500ms or 5s.")
        return .milliseconds(Int64((seconds * 1_000).rounded()))
    }

    /// Reads how long something lasts: `90m`, `2h`, `7d`.
    static func lasting(_ text: String) throws -> Duration {
        let units = secondsPerUnit.merging(["d": 86_400]) { $1 }
        let seconds = try measure(text, units).within(1...315_360_000)
            .orBad("it is a number with s, m, h or d, up to ten years, such as 90m, 2h or 7d.")
        return .seconds(Int64(seconds.rounded()))
    }

    /// Reads the beginning of a service's addresses, and returns it without slashes at its end.
    static func site(_ text: String) throws -> String {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            throw BadValue("it begins with https:// or http://, such as https://waymark.example.")
        }
        var site = text
        while site.hasSuffix("/") { site.removeLast() }
        return site
    }

    /// Reads the address at which the HTTP interface listens: `127.0.0.1:7480`.
    static func webAddress(_ text: String) throws -> ListenAddress {
        try ListenAddress(text).orBad("an address is HOST:PORT, such as 127.0.0.1:7480; port 0 is any free one.")
    }

    static func cursor(_ text: String) throws -> Data {
        try Data(base64URL: text).orBad("a cursor is printed at the end of the previous page: copy all of it.")
    }

    static func count(_ text: String) throws -> Int {
        try Int(text).within(1...Int.max).orBad("it must be a whole number, 1 or more.")
    }

    /// Reads a size in bytes: `64`, `4k`, `1M`. The unit k is 1,024.
    static func size(_ text: String) throws -> Int {
        let factors = ["": 1, "k": 1_024, "K": 1_024, "M": 1_048_576]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let factor = factors[String(text.dropFirst(digits.count))],
            (1...MessageSizes.greatest / factor).contains(number)
        else { throw BadValue("a size is a number of bytes up to 16M, such as 64, 4k or 1M.") }
        return number * factor
    }

    /// Reads a number of operations per second: `500`, `20k`.
    static func rate(_ text: String) throws -> Double {
        try LoadQuantity.read(text, as: .perSecond).within(0.01...10_000_000)
            .orBad("a rate is a number of operations a second up to 10M, such as 500 or 20k.")
    }

    /// Reads a whole number: `100000`, `100k`, `1M`.
    static func quantity(_ text: String) throws -> Int {
        guard let count = LoadQuantity.read(text, as: .count), (1...1e12).contains(count), count.rounded() == count
        else { throw BadValue("it must be a whole number, 1 or more, such as 5000, 100k or 1M.") }
        return Int(count)
    }

    /// Reads a time as ``duration(_:)`` does and returns its seconds. `0s` is allowed, too.
    static func seconds(_ text: String) throws -> Double {
        if ["0", "0s", "0ms"].contains(text) { return 0 }
        return try duration(text) / .seconds(1)
    }

    /// Reads a share: `10%` or `0.1`.
    static func share(_ text: String) throws -> Double {
        try LoadQuantity.read(text, as: .fraction).within(0...100).orBad("it must be a share, such as 10% or 0.1.")
    }

    /// Reads one endpoint to connect to.
    static func endpoint(_ text: String) throws -> String { try endpoint(text, for: .connecting) }

    /// Reads one or more endpoints to connect to, separated by commas.
    static func endpoints(_ text: String) throws -> String {
        if let problem = EndpointText.problem(withList: text) { throw BadValue("it \(problem).") }
        for endpoint in EndpointText.list(text) { _ = try Values.endpoint(endpoint) }
        return text
    }

    static func listening(_ text: String) throws -> String { try endpoint(text, for: .listening) }

    private static func endpoint(_ text: String, for use: EndpointText.Use) throws -> String {
        if let problem = EndpointText.problem(with: text, for: use) { throw BadValue("it \(problem).") }
        // An inproc endpoint can only be reached from within its process.
        if text.hasPrefix("inproc://") { throw BadValue("an endpoint is tcp://HOST:PORT or ipc://PATH.") }
        return text
    }

    private static let metresPerUnit = ["": 1.0, "m": 1, "km": 1_000, "mi": 1_609.344]
    private static let secondsPerUnit = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600]

    /// Reads a number with one of the units, and returns the number times the unit's factor.
    private static func measure(_ text: String, _ units: [String: Double]) -> Double? {
        let unit = text.reversed().prefix { $0.isASCII && $0.isLetter }.reversed()
        guard let value = number(text.dropLast(unit.count)), let size = units[String(unit)] else { return nil }
        return value * size
    }

    /// Reads a decimal number; hexadecimal numbers are rejected. `nan` and `inf` are accepted, so that the caller can
    /// say what is wrong with them.
    static func number(_ text: Substring) -> Double? {
        let trimmed = text.trimmed
        guard !trimmed.contains(where: { $0 == "x" || $0 == "X" || $0 == "(" }) else { return nil }
        return Double(trimmed)
    }

    /// Reads an area: `SOUTH,WEST,NORTH,EAST` in degrees, with a west greater than the east if the area crosses the
    /// 180th meridian; or the path of a GeoJSON file with a polygon.
    static func area(_ text: String) throws -> Area {
        let parts = PositionText.plain(text).split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap(number)
        if numbers.count == 4, parts.count == 4 { return .box(try box(numbers)) }
        // Several values with a number among them are probably a mistyped box, not a path.
        guard numbers.isEmpty || parts.count == 1 else { throw BadValue(areaForms) }
        guard let bytes = BoundedFile.read(text, upTo: GeoJSONArea.mostBytes) else { throw BadValue(areaForms) }
        do throws(InvalidInput) { return .polygon(try GeoJSONArea.polygon([UInt8](bytes))) } catch {
            throw BadValue("\(Escaping.visible(text)): \(error)")
        }
    }

    private static func box(_ numbers: [Double]) throws(BadValue) -> AreaBox {
        let box = try BadValue.unless {
            try AreaBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
        }
        // Nobody means the whole world except a strip, so west and east were probably exchanged.
        guard box.west <= box.east || 360 - (box.west - box.east) <= widestAcross else {
            throw BadValue(
                "the west, \(Figures.number(box.west)), is east of the east, \(Figures.number(box.east)), so the area "
                    + "would go nearly all around the world: the order is SOUTH,WEST,NORTH,EAST.")
        }
        return box
    }

    /// The maximum width in degrees of a box that crosses the 180th meridian.
    private static let widestAcross = 270.0

    private static let areaForms =
        "an area is SOUTH,WEST,NORTH,EAST in degrees, such as -34,151,-33.5,151.5, or a GeoJSON file that can be read."
}
