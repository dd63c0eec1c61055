// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol

/// The parameters in the query of a URL, each with its values in order.
struct WebQuery: Sendable {
    private static let most = 200
    private static let flags = ["": true, "true": true, "1": true, "false": false, "0": false]

    // An array instead of a dictionary, because few requests have more than four parameters, and hashing a name takes
    // longer than comparing it with four names.
    private var values: [(name: String, value: String)] = []

    var names: some Sequence<String> { values.lazy.map(\.name) }

    init(_ query: String) throws(Problem) {
        let pairs = query.utf8.split(separator: UInt8(ascii: "&"))
        guard pairs.count <= Self.most else {
            throw Problem.invalid("The query has more than \(Self.most) parameters.")
        }
        for pair in pairs {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = Self.decoded(Substring(pair[..<end])),
                let value = Self.decoded(Substring(pair[end...].dropFirst()))
            else { throw Problem.malformed("The query is not percent-encoded UTF-8.") }
            values.append((name, value))
        }
    }

    /// Decodes a name or a value. HTML forms write a space as a plus sign.
    private static func decoded(_ text: Substring) -> String? {
        if text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "%") }) { return String(text) }
        return String(percentEncoded: text.replacing("+", with: " "))
    }

    func isRepeated(_ name: String) -> Bool { values.count { $0.name == name } > 1 }

    func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

    /// Returns the last value of a parameter; nil if the parameter is missing.
    func text(_ name: String) -> String? { values.last { $0.name == name }?.value }

    /// Returns the value of a required parameter.
    ///
    /// - Parameter advice: describes the value to give, for the error.
    func text(_ name: String, or advice: String) throws(Problem) -> String {
        try text(name).or(.invalid("The parameter \(name) is missing: \(advice)."))
    }

    /// Returns the value of a parameter; nil if the parameter is missing.
    ///
    /// - Parameters:
    ///   - form: describes the form of the value, for the error.
    ///   - read: converts the text; returns nil if the text does not have this form.
    func value<Value>(
        _ name: String, _ form: @autoclosure () -> String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = read(text) else { throw Problem.invalid("The parameter \(name) must be \(form()).") }
        return value
    }

    func flag(_ name: String, or standard: Bool = false) throws(Problem) -> Bool {
        try value(name, "true or false") { Self.flags[$0] } ?? standard
    }

    func number(_ name: String) throws(Problem) -> Double? {
        try value(name, "a number") { DecimalText.number($0).flatMap { $0.isFinite ? $0 : nil } }
    }

    func whole(_ name: String, in range: ClosedRange<Int>, or standard: Int) throws(Problem) -> Int {
        try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        } ?? standard
    }

    /// Returns the most rows of a page.
    func limit(_ standard: Int) throws(Problem) -> Int {
        try whole("limit", in: 1...WaymarkProtocol.pageRows, or: standard)
    }

    /// Returns the coordinate in the parameters `lat` and `lng`; nil if both are missing.
    func coordinate() throws -> Coordinate? {
        switch (try number("lat"), try number("lng")) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?): return try Coordinate(writtenLatitude: latitude, longitude: longitude)
        default: throw Problem.invalid("The parameters lat and lng together are a position: give both.")
        }
    }

    func cursor() throws(Problem) -> Data? {
        try value("cursor", "the cursor of an answer", Data.init(base64URL:))
    }

    /// Returns the query for the next page after a cursor, in GeoJSON, percent-encoded.
    func next(after cursor: Data) -> String {
        let kept = values.filter { $0.name != "cursor" && $0.name != "format" }
        let more = [(name: "format", value: "geojson"), (name: "cursor", value: cursor.base64URL)]
        return (kept + more).map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    /// Returns the filter in the parameters ``WebRoute/Parameter/filters``, without that of a fence.
    func filter() throws -> LandmarkFilter {
        LandmarkFilter(kinds: all("kind"), user: text("user"), source: text("source"), area: try within())
    }

    /// Returns the area in the parameter `within`; nil if the parameter is missing.
    func within() throws -> Area? {
        try text("within").map { try Self.area($0) }
    }

    /// Reads a box or a polygon.
    static func area(_ text: String) throws -> Area {
        if text.hasPrefix("{") { return .polygon(try GeoJSONArea.polygon(Array(text.utf8))) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { DecimalText.number($0) }
        guard parts.count == 4, numbers.count == 4 else {
            throw Problem.invalid(
                "The parameter within must be SOUTH,WEST,NORTH,EAST in degrees, or a GeoJSON polygon.")
        }
        return .box(try AreaBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3]))
    }

    /// - Throws: ``Problem`` for a part of a circle, or a circle beside another area.
    static func area(_ centre: Coordinate?, _ radius: Double?, or within: Area?) throws -> Area? {
        guard (centre == nil) == (radius == nil), centre == nil || within == nil else {
            throw Problem.invalid("An area must be lat, lng and radius together, or within.")
        }
        guard let centre, let radius else { return within }
        return try .circle(at: centre, radius: radius)
    }

    /// Returns the question in the parameters `open` and `hours`; nil if both are missing.
    func opening() throws(Problem) -> OpeningQuestion? {
        guard text("open") == nil || text("hours") == nil else {
            throw Problem.invalid("The parameters open and hours exclude each other: open tells the hours, so use it.")
        }
        guard let name = ["open", "hours"].first(where: { text($0) != nil }) else { return nil }
        return OpeningQuestion(
            at: text(name) == "now" ? nil : try time(name, or: "now, or "), isFilter: name == "open")
    }

    /// Reads a time in RFC 3339 and returns Unix milliseconds; nil if the parameter is missing.
    ///
    /// - Parameter others: describes the other values that the parameter allows, for the error.
    func time(_ name: String, or others: String = "") throws(Problem) -> UInt64? {
        try value(name, "\(others)an RFC 3339 time such as 2026-03-01T09:30:00Z") { text in
            // Refuse 0, because it would mean the time of the request.
            Timestamp.milliseconds(rfc3339: text).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}
