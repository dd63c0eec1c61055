// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import OpeningHours

@Suite("Opening hours agree with opening-hours-py", .inShortTurn)
struct AgreementTests {
    private struct Pair {
        let value: String
        let date: CivilDate
        let minute: Int
        let state: String

        /// - Parameter line: the value, year, month, day, hour and minute, and the state.
        init?(_ line: some StringProtocol, separator: String) {
            let parts = line.components(separatedBy: separator)
            guard parts.count == 3 else { return nil }
            let numbers = parts[1].split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 5 else { return nil }
            value = parts[0].trimmingCharacters(in: .whitespaces)
            date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
            minute = numbers[3] * 60 + numbers[4]
            state = parts[2]
        }

        /// The state here; nil when the value is not understood. By the fixed sun.
        var here: String? {
            guard let hours = try? OpeningHours(value) else { return nil }
            let span = hours.schedule(of: date, holidays: [], sun: FixedSun.minutes).span(at: minute)
            return "\(span?.state ?? .closed)"
        }
    }

    @Test("on the pairs that are kept here")
    func kept() throws {
        let pairs = agreedPairs.split(separator: "\n").compactMap { Pair($0, separator: " = ") }
        #expect(pairs.count == 156)
        for pair in pairs { #expect(pair.here == pair.state, "\(pair)") }
    }

    /// `pairs.py 11 20000 > FILE`, then `WAYMARK_HOURS_PAIRS=FILE swift test --filter AgreementTests`.
    @Test(
        "on 999 of 1,000 of the pairs in a file",
        .enabled(if: ProcessInfo.processInfo.environment["WAYMARK_HOURS_PAIRS"] != nil))
    func file() throws {
        let path = try #require(ProcessInfo.processInfo.environment["WAYMARK_HOURS_PAIRS"])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let pairs = text.split(separator: "\n").compactMap { Pair($0, separator: "\t") }
        let others = pairs.filter { $0.here != $0.state }
        for pair in others.prefix(20) { print(pair.value, pair.date.parts, pair.minute, pair.state, pair.here ?? "-") }
        let unread = Set(pairs.filter { $0.here == nil }.map(\.value)).count
        print("\(pairs.count) pairs, \(others.count) disagreements")
        print("\(Set(pairs.map(\.value)).count) values, \(unread) not understood")
        #expect(!pairs.isEmpty && others.count * 1_000 <= pairs.count)
    }
}
