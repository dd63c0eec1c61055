// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import OpeningHours

/// By the specification 0.7.3, `weekday_selector`: holidays before weekdays, with a space between them, are those that
/// fall on these weekdays; with a comma, both are meant. The forms are those of opening_hours.js's tests ("SH We",
/// "Su,SH,PH"), which know the holidays that are not known here.
@Suite("Holidays and weekdays", .inShortTurn)
struct HolidayTests {
    /// In the week of Monday, 2026-11-23.
    private func state(_ text: String, _ day: Int, _ time: String) throws -> String {
        try FixedZone.state(text, "2026-11-\(day) \(time)").kind.rawValue
    }

    @Test(
        "a holiday before a weekday: both hold",
        arguments: [
            ("07:00-14:00,15:30-19:00; PH Su closed", 29, "10:00", "open"),
            ("07:00-14:00,15:30-19:00; PH Su closed", 29, "14:30", "closed"),
            ("Mo-Fr 08:00-18:00; SH Mo-Fr 10:00-12:00", 23, "14:00", "open"),
            ("Mo-Fr 08:00-18:00; SH Mo-Fr 10:00-12:00", 28, "11:00", "closed"),
            ("Sa 10:00-12:00; PH Mo-Fr 09:00-11:00", 23, "10:00", "unknown"),
            ("Sa 10:00-12:00; PH Mo-Fr 09:00-11:00", 23, "11:30", "closed"),
            ("Sa 10:00-12:00; PH Mo-Fr 09:00-11:00", 28, "11:30", "open"),
            ("Sa 10:00-12:00; PH Mo-Fr 09:00-11:00", 28, "09:30", "closed"),
            ("SH Tu-Su 11:00-17:00", 24, "12:00", "unknown"), ("SH Tu-Su 11:00-17:00", 23, "14:00", "closed"),
            ("SH We", 25, "12:00", "unknown"), ("SH We", 26, "12:00", "closed"),
            ("SH,PH Mo-Fr,Su 10:00-12:00", 23, "11:00", "unknown"),
            ("SH,PH Mo-Fr,Su 10:00-12:00", 28, "11:00", "closed"),
            ("SH,PH Mo-Fr,Su 10:00-12:00", 29, "11:00", "unknown"),
            ("PH Mo[4] 10:00-12:00", 23, "11:00", "unknown"), ("PH Mo[3] 10:00-12:00", 23, "11:00", "closed"),
            // The night after such a day.
            ("PH Sa 20:00-02:00", 29, "01:00", "unknown"), ("PH Sa 20:00-02:00", 28, "01:00", "closed"),
        ])
    func both(text: String, day: Int, time: String, wanted: String) throws {
        #expect(try state(text, day, time) == wanted)
    }

    @Test("with a comma one is enough", arguments: ["Mo-Fr,PH", "PH,Mo-Fr", "Mo-We,PH,Th,Fr,SH", "SH,Mo-Fr,PH"])
    func either(days: String) throws {
        #expect(try state("\(days) 10:00-12:00", 23, "11:00") == "open")
        #expect(try state("\(days) 10:00-12:00", 28, "11:00") == "unknown")
        #expect(try state("\(days) 10:00-12:00", 28, "12:30") == "closed")
    }

    @Test(
        "each kind of holiday may be one without the other",
        arguments: [
            ("SH 10:00-12:00; PH off", "unknown"), ("PH 10:00-12:00; SH off", "unknown"),
            // The day before a holiday need not be one.
            ("PH -1 day 10:00-12:00; PH off", "unknown"), ("PH 10:00-12:00; PH,SH off", "closed"),
            ("PH Mo-Fr 10:00-12:00; PH off", "closed"),
        ])
    func apart(text: String, wanted: String) throws {
        #expect(try state(text, 23, "11:00") == wanted)
    }

    @Test("the next change is that of a holiday on the right weekday")
    func until() throws {
        let closed = try FixedZone.state("PH Mo-Fr 09:00-11:00", "2026-11-28 12:00")
        // Monday, 2026-11-30, 09:00.
        #expect(closed.kind == .closed && closed.until == 1_796_029_200)
    }
}
