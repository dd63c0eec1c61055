// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpeningHours

/// Zones that need no file.
enum FixedZone {
    /// A zone without changes of its own but those of the rule.
    static func zone(_ rule: String, offset: Int32 = 0) throws -> TimeZoneFile {
        func block(_ times: [Int64], _ width: Int) -> [UInt8] {
            var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, 0, times.count, 1, 4] {
                bytes += withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0) }
            }
            for time in times {
                bytes +=
                    width == 8
                    ? withUnsafeBytes(of: time.bigEndian) { Array($0) }
                    : withUnsafeBytes(of: Int32(clamping: time).bigEndian) { Array($0) }
            }
            bytes += [UInt8](repeating: 0, count: times.count)
            return bytes + withUnsafeBytes(of: offset.bigEndian) { Array($0) } + [0, 0] + Array("LMT\u{0}".utf8)
        }
        let bytes = block([], 4) + block([-2_000_000_000], 8) + Array("\n\(rule)\n".utf8)
        return try #require(TimeZoneFile("Test/Zone", bytes: bytes))
    }

    /// The state of hours by the clock of UTC, and what they say about it.
    ///
    /// - Parameter time: `2026-11-23 10:00`.
    static func state(_ text: String, _ time: String) throws -> OpeningState {
        let numbers = time.split { !$0.isNumber }.compactMap { Int($0) }
        let days = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]).days
        let place = OpeningPlace(zone: try zone("UTC0"), latitude: 52.52, longitude: 13.4)
        return try OpeningHours(text).state(
            at: Int64(days) * 86_400 + Int64(numbers[3] * 3_600 + numbers[4] * 60), in: place)
    }
}
