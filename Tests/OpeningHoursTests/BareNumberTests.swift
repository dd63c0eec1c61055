// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import OpeningHours

@Suite("Hours without minutes, by a clock of 12 or of 24 hours", .inShortTurn)
struct BareNumberTests {
    /// In the week of Monday, 2026-11-23.
    private func state(_ text: String, _ day: Int, _ time: String) throws -> String {
        try FixedZone.state(text, "2026-11-\(day) \(time)").kind.rawValue
    }

    @Test(
        "where both clocks are possible, nothing is said about the day",
        arguments: [
            "9-5", "3-11", "1-5", "8-4", "12-5", "11-3", "6-11", "12-12", "9:00-5", "9-5:30", "9am-5", "10am-12",
            "9am-5:00",
            "9-11pm", "10-2am", "9-5 open", "9-5 off",
        ])
    func doubt(times: String) throws {
        for (day, time) in [(23, "10:00"), (23, "16:00"), (23, "20:00"), (24, "02:00")] {
            #expect(try state("Mo-Fr \(times)", day, time) == "unknown", "\(day) \(time)")
        }
        #expect(try state("Mo-Fr \(times)", 28, "10:00") == "closed")
        #expect(try state("Mo-Fr \(times) || open", 23, "20:00") == "unknown")
    }

    /// The first lines are values of opening_hours.js's tests ("Time intervals", "Correctly handle pm time"), which it reads
    /// by the clock of 24 hours.
    @Test(
        "where only one is, it is read by that one",
        arguments: [
            ("10-12", "11:00", "open"), ("10-12", "12:00", "closed"), ("10-12,13-20", "19:59", "open"),
            ("10-14; 12-14 off", "13:00", "closed"), ("Mo 7-18", "17:59", "open"), ("0-24", "03:00", "open"),
            ("22-2", "23:00", "open"), ("22-2", "01:00", "open"), ("22-2", "12:00", "closed"),
            ("18:00-2", "01:00", "open"), ("8-0", "23:59", "open"), ("0-6", "05:00", "open"),
            ("9-5pm", "16:59", "open"), ("9-5pm", "20:00", "closed"), ("9-5pm", "08:59", "closed"),
            ("1-5pm", "13:00", "open"), ("1-5pm", "02:00", "closed"), ("12-2pm", "13:00", "open"),
            ("12-2pm", "11:00", "closed"), ("1:00-5:00pm", "02:00", "closed"), ("1:30-5 pm", "13:30", "open"),
            ("8-11am", "08:00", "open"), ("8-11am", "11:00", "closed"), ("12-6am", "05:59", "open"),
            ("9am-17", "16:59", "open"), ("8am-12pm,1-5pm", "16:00", "open"), ("8am-12pm,1-5pm", "12:30", "closed"),
            // With minutes it is the specification's form, whose clock has 24 hours.
            ("09:00-05:00", "02:00", "open"), ("1:00-5:00", "02:00", "open"),
        ])
    func clear(text: String, time: String, wanted: String) throws {
        #expect(try state(text, 23, time) == wanted)
    }

    @Test("what is clear beside it stays")
    func beside() throws {
        let text = "Mo-Fr 8-12,1-5; Sa 9-13"
        #expect(try state(text, 23, "10:00") == "open" && state(text, 23, "16:00") == "unknown")
        #expect(try state(text, 24, "02:00") == "unknown" && state(text, 28, "12:00") == "open")
        #expect(try FixedZone.state("Mo 9-5 \"ring\"", "2026-11-23 10:00").comment == "ring")
    }
}
