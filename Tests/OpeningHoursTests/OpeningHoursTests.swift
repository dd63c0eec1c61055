// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import OpeningHours

@Suite("Opening hours", .inShortTurn)
struct OpeningHoursTests {
    /// Monday, 2026-11-23, and so many days later.
    private func state(_ text: String, _ day: Int, _ time: String, month: Int = 11, year: Int = 2026) throws -> String {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        let date = CivilDate(year: year, month: month, day: day)
        let span = try OpeningHours(text).schedule(of: date, holidays: [], sun: FixedSun.minutes)
            .span(at: parts[0] * 60 + parts[1])
        return "\(span?.state ?? .closed)"
    }

    @Test(
        "weekdays and times",
        arguments: [
            ("24/7", 23, "03:00", "open"), ("Mo-Fr 09:00-17:00", 23, "08:59", "closed"),
            ("Mo-Fr 09:00-17:00", 23, "09:00", "open"), ("Mo-Fr 09:00-17:00", 23, "17:00", "closed"),
            ("Mo-Fr 09:00-17:00", 28, "10:00", "closed"), ("Sa-Mo 10:00-12:00", 23, "11:00", "open"),
            ("Tu,Th 10:00-12:00,14:00-16:00", 24, "15:59", "open"), ("Mo[4] 10:00-12:00", 23, "11:00", "open"),
            ("Mo[-2] 10:00-12:00", 23, "11:00", "open"), ("Mo[1-2,5] 10:00-12:00", 23, "11:00", "closed"),
            // Past midnight.
            ("Su 22:00-02:00", 23, "01:59", "open"), ("Mo 22:00-02:00", 23, "01:59", "closed"),
            ("Su 20:00-26:00", 23, "01:00", "open"), ("Mo 10:00-24:00", 23, "23:59", "open"),
            ("18:00+", 23, "23:00", "open"), ("sunrise-sunset", 23, "06:59", "closed"),
            ("(sunrise-01:00)-sunset", 23, "06:00", "open"), ("dawn-10:00", 23, "06:00", "open"),
        ])
    func weekdays(text: String, day: Int, time: String, wanted: String) throws {
        #expect(try state(text, day, time) == wanted)
    }

    @Test(
        "rules replace, add and fall back",
        arguments: [
            ("Mo-Su 09:00-17:00; Mo off", "10:00", "closed"),
            ("Mo-Su 09:00-17:00; Mo 12:00-13:00 off", "10:00", "open"),
            ("Mo-Su 09:00-17:00; Mo 18:00-20:00", "10:00", "closed"),
            ("Mo-Su 09:00-17:00, Mo 18:00-20:00", "10:00", "open"),
            ("Tu 09:00-17:00 || \"call us\"", "10:00", "unknown"), ("Mo 09:00-17:00 || unknown", "10:00", "open"),
            ("Mo unknown", "10:00", "unknown"), ("\"by appointment\"", "10:00", "unknown"),
            ("off", "10:00", "closed"), ("Mo-Fr 09:00-17:00; PH off", "10:00", "open"),
            ("Mo closed; 24/7", "10:00", "open"),
            // Days alone mean the whole day.
            ("Mo-Fr", "10:00", "open"),
            // The night of Sunday is not taken away by Monday's own hours.
            ("Mo 08:00-12:00; Su 20:00-26:00", "01:00", "open"),
        ])
    func rules(text: String, time: String, wanted: String) throws {
        #expect(try state(text, 23, time) == wanted)
    }

    @Test(
        "dates, weeks and years",
        arguments: [
            ("Nov 10:00-12:00", 23, 11, 2026, "open"), ("Dec-Feb 10:00-12:00", 23, 11, 2026, "closed"),
            ("Nov-Feb 10:00-12:00", 1, 1, 2026, "open"), ("Dec 24-Jan 02 10:00-12:00", 1, 1, 2027, "open"),
            ("Dec 24,31 10:00-12:00", 31, 12, 2026, "open"), ("Dec 24-26 10:00-12:00", 25, 12, 2026, "open"),
            ("2026 Dec 24-2027 Jan 06 10:00-12:00", 6, 1, 2027, "open"),
            ("2026 Dec 24-2027 Jan 06 10:00-12:00", 6, 1, 2028, "closed"),
            ("easter 10:00-12:00", 5, 4, 2026, "open"), ("easter -2 days 10:00-12:00", 3, 4, 2026, "open"),
            ("easter +39 days 10:00-12:00", 14, 5, 2026, "open"), ("week 48 10:00-12:00", 23, 11, 2026, "open"),
            ("week 2-52/2 10:00-12:00", 23, 11, 2026, "open"), ("week 53 10:00-12:00", 1, 1, 2027, "open"),
            ("2025-2027/2 10:00-12:00", 23, 11, 2026, "closed"), ("2026+ 10:00-12:00", 23, 11, 2030, "open"),
            ("Mar Su[-1]-Oct Su[-1] 10:00-12:00", 29, 3, 2026, "open"),
            ("Mar Su[-1]-Oct Su[-1] 10:00-12:00", 28, 3, 2026, "closed"),
            ("Jan-Mar,Nov 20-30 10:00-12:00", 23, 11, 2026, "open"),
        ])
    func dates(text: String, day: Int, month: Int, year: Int, wanted: String) throws {
        #expect(try state(text, day, "11:00", month: month, year: year) == wanted)
    }

    @Test(
        "common ways of writing that are not in the specification",
        arguments: [
            "Mo-Fr: 09:00-17:00", "mo-fr 9:00-17:00", "Mon-Fri 09:00-17:00", "Monday-Friday 9-17",
            "Mo–Fr 09:00 – 17:00",
            "Mo-Fr 09.00-17.00", "Mo-Fr 9am-5pm", "Mo-Fr 9:00 am - 5:00 pm", "Mo-Fr 09:00-17:00;",
            "Mo-Fr 09:00-17:00 open",
            "Tu 10:00-12:00,Mo-Fr 09:00-17:00", "Jan-Dec: Mo-Fr 09:00-17:00", "Mo-Fr,PH 09:00-17:00; ; Su off",
        ])
    func lenient(text: String) throws {
        #expect(try state(text, 23, "09:00") == "open" && state(text, 23, "17:00") == "closed")
    }

    @Test(
        "what is not understood",
        arguments: [
            "", " ", "summer 10-12", "25", "Mo 10:00", "Mo 10:60-12:00", "Mo 49:00-50:00", "10:00-12:00 Mo",
            "Mo-Xy 10:00-12:00", "Mo[6] 10:00-12:00", "Jan 32 off", "\"open", "Mo 10:00-12:00 ||", "24/7 24/7",
        ])
    func malformed(text: String) {
        #expect(throws: OpeningHoursError.self) { try OpeningHours(text) }
    }

    @Test("long and odd texts are refused quickly")
    func hostile() {
        for text in [
            String(repeating: "Mo,", count: 100_000), String(repeating: "\"", count: 1_021),
            String(repeating: ";", count: 1_000),
            String(repeating: "1", count: 1_000), String(repeating: "Mo[1,", count: 200), "\u{0}\u{1f600}",
        ] {
            #expect(throws: OpeningHoursError.self) { try OpeningHours(text) }
        }
    }
}
