// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The rules of a time zone, read from the system's tzdata (RFC 9636, "The Time Zone Information Format"). Foundation's
/// time zones need ICU, which would make the services 34 MB larger.
public struct TimeZoneFile: Sendable {
    private static let folder = "/usr/share/zoneinfo/"
    private static let mostBytes = 1_048_576

    public let name: String
    /// The times in seconds since 1970 at which the offset changes. The offset with the same index applies from then.
    private let changes: [Int64]
    private let offsets: [Int]
    private let first: Int
    /// The rule for times after the last change; nil if there is none.
    private let rule: TimeZoneRule?

    /// Reads a time zone; nil if this machine has no zone with that name.
    ///
    /// - Parameter name: the name, such as `Australia/Sydney`.
    public init?(_ name: String) {
        // The name becomes a part of a path, so only the characters of zone names are allowed.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isName =
            1...3 ~= parts.count
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.count <= 40
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
            }
        guard isName, let data = try? Data(contentsOf: URL(filePath: Self.folder + name)), data.count <= Self.mostBytes
        else { return nil }
        self.init(name, bytes: Array(data))
    }

    init?(_ name: String, bytes: [UInt8]) {
        var reader = ZoneReader(bytes: bytes)
        // The first block of the file has times of 32 bits, the second block the same times with 64 bits.
        guard let short = reader.header(), short.version >= 2, reader.skip(short.bytes(timeBytes: 4)),
            let header = reader.header(), header.types > 0,
            let times = reader.numbers(header.times, bytes: 8), let kinds = reader.numbers(header.times, bytes: 1)
        else { return nil }
        var types: [Int] = []
        for _ in 0..<header.types {
            guard let offset = reader.numbers(1, bytes: 4)?.first, abs(offset) < 100_000, reader.skip(2) else {
                return nil
            }
            types.append(Int(offset))
        }
        guard kinds.allSatisfy({ types.indices.contains(Int($0)) }),
            zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }),
            reader.skip(header.characters + header.leaps * 12 + header.standard + header.universal)
        else { return nil }
        self.name = name
        changes = times
        offsets = kinds.map { types[Int($0)] }
        first = types[0]
        rule = reader.line().flatMap(TimeZoneRule.init)
    }

    /// Returns the seconds to add to UTC to get the local time.
    ///
    /// - Parameter instant: the seconds since 1970.
    public func offset(at instant: Int64) -> Int {
        guard let last = changes.last, instant < last else {
            return rule?.offset(at: instant) ?? offsets.last ?? first
        }
        return changes.lastIndex { $0 <= instant }.map { offsets[$0] } ?? first
    }

    /// Returns the local date, and the minute of the day.
    public func local(_ instant: Int64) -> (date: CivilDate, minute: Int) {
        let seconds = Int(instant) + offset(at: instant)
        let date = CivilDate(unixSeconds: seconds)
        return (date, (seconds - date.days * 86_400) / 60)
    }
}

/// Reads the fields of a time zone's file. Never reads beyond the end of the file.
private struct ZoneReader {
    struct Header {
        var version: Int
        var (universal, standard, leaps, times, types, characters): (Int, Int, Int, Int, Int, Int)

        func bytes(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standard + universal
        }
    }

    let bytes: [UInt8]
    var place = 0

    mutating func header() -> Header? {
        guard bytes.count >= place + 44, Array(bytes[place..<place + 4]) == Array("TZif".utf8) else { return nil }
        let version = bytes[place + 4] == 0 ? 1 : Int(bytes[place + 4]) - Int(UInt8(ascii: "0"))
        place += 20
        guard let counts = numbers(6, bytes: 4), counts.allSatisfy({ 0...65_536 ~= $0 }) else { return nil }
        let n = counts.map(Int.init)
        return Header(
            version: version, universal: n[0], standard: n[1], leaps: n[2], times: n[3], types: n[4], characters: n[5])
    }

    mutating func skip(_ count: Int) -> Bool {
        guard bytes.count - place >= count else { return false }
        place += count
        return true
    }

    /// Reads big-endian numbers. Numbers of four and eight bytes are signed.
    mutating func numbers(_ count: Int, bytes width: Int) -> [Int64]? {
        guard bytes.count - place >= count * width else { return nil }
        return (0..<count).map { _ in
            defer { place += width }
            let bits = bytes[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return width == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
        }
    }

    /// Reads the footer, which is between two newlines.
    mutating func line() -> String? {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\n") else { return nil }
        let text = bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: text, as: UTF8.self)
    }
}
