// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import OpeningHours

/// The values and the states that the tests of opening_hours.js expect of them (`test/test.mjs`, "Fallback group
/// rules", and "Real world example").
@Suite("Fallback rules", .inShortTurn)
struct FallbackTests {
    private func state(_ text: String, _ time: String) throws -> String {
        let state = try FixedZone.state(text, time)
        return state.comment.map { "\(state.kind) \($0)" } ?? state.kind.rawValue
    }

    @Test(
        "they hold at each time that nothing before them opens",
        arguments: [
            "We-Fr 10:00-24:00 open \"it\" || \"call\"", "We-Fr 10:00-24:00 open \"it\" || \"call\" || closed \"x\"",
            "We-Fr 10:00-24:00 open \"it\" || \"call\" || unknown \"x\"",
            "We-Fr 10:00-24:00 open \"it\" || \"call\" || open \"x\"",
            "We-Fr 10:00-24:00 open \"it\", Mo closed \"x\" || 2012 \"call\"; Jan 01 open \"x\"",
        ])
    func eachTime(text: String) throws {
        // From Monday, 2012-10-01, on.
        for time in ["01 00:00", "01 12:00", "02 23:59", "03 09:59", "04 00:00", "04 09:59", "05 09:59", "07 12:00"] {
            #expect(try state(text, "2012-10-\(time)") == "unknown call", "\(time)")
        }
        for time in ["03 10:00", "03 23:59", "04 10:00", "05 12:00"] {
            #expect(try state(text, "2012-10-\(time)") == "open it", "\(time)")
        }
    }

    @Test("several, of which one is for a day")
    func several() throws {
        let text = "We-Fr 10:00-24:00 open \"first\" || We \"call\" || open \"we are\""
        let wanted = [
            "01 12:00": "open we are", "03 09:59": "unknown call", "03 10:00": "open first", "04 09:59": "open we are",
            "04 10:00": "open first", "06 12:00": "open we are",
        ]
        for (time, state) in wanted { #expect(try self.state(text, "2012-10-\(time)") == state, "\(time)") }
    }

    @Test("one with times of its own, which end on the next day")
    func ownTimes() throws {
        let text = "Mo-Fr 08:00-12:00,14:00-18:00; Sa 09:00-13:00; PH off || Tu 06:00-06:00 open \"Notdienst\""
        let wanted = [
            "01 05:59": "closed", "01 06:00": "open Notdienst", "01 08:00": "open", "01 12:00": "open Notdienst",
            "01 14:00": "open", "01 18:00": "open Notdienst", "02 05:59": "open Notdienst", "02 06:00": "closed",
            "02 08:00": "open", "05 13:00": "closed",
        ]
        for (time, state) in wanted { #expect(try self.state(text, "2013-10-\(time)") == state, "\(time)") }
        let emergency = "Mo-Fr 08:00-11:00 || Th-Sa 12:00-13:00 open \"Emergency only\""
        #expect(try state(emergency, "2013-10-03 10:59") == "open")
        #expect(try state(emergency, "2013-10-03 11:00") == "closed")
        #expect(try state(emergency, "2013-10-03 12:00") == "open Emergency only")
        #expect(try state(emergency, "2013-10-02 12:00") == "closed")
    }

    @Test("what comes after them closes again", arguments: ["Mo,Tu,Th", "Mo-Th"])
    func after(days: String) throws {
        for fallback in ["\"Termine\"", "unknown \"Termine\""] {
            let text = "\(days) 09:00-12:00; Fr 14:00-17:30 || \(fallback); We off"
            for time in ["01 08:59", "01 12:00", "03 08:59", "04 13:59", "04 17:30", "05 12:00", "07 12:00"] {
                #expect(try state(text, "2013-10-\(time)") == "unknown Termine", "\(text) \(time)")
            }
            for time in ["01 09:00", "03 11:59", "04 14:00", "04 17:29"] {
                #expect(try state(text, "2013-10-\(time)") == "open", "\(text) \(time)")
            }
            for time in ["02 00:00", "02 10:00", "02 23:59"] {
                #expect(try state(text, "2013-10-\(time)") == "closed", "\(text) \(time)")
            }
        }
    }

    @Test("beside a night")
    func night() throws {
        let text = "Mo 19:00-05:00 || \"call\""
        let wanted = [
            "06 18:59": "unknown call", "06 19:00": "open", "07 04:59": "open", "07 05:00": "unknown call",
        ]
        for (time, state) in wanted { #expect(try self.state(text, "2014-01-\(time)") == state, "\(time)") }
    }

    @Test("a closed day keeps its words where no fallback takes it")
    func words() throws {
        let text = "Tu off \"rest\" || Mo-Tu 12:00-14:00 \"call\""
        #expect(try state(text, "2012-10-02 11:00") == "closed rest")
        #expect(try state(text, "2012-10-02 12:00") == "unknown call")
    }

    /// The specification: a comment without a state is unknown. opening_hours.js: `Sa 10:00-12:00 "Maybe open. Call us."`
    @Test("a comment alone is unknown, also after days and times")
    func comments() throws {
        #expect(try state("Sa 10:00-12:00 \"Maybe\"", "2012-10-06 11:00") == "unknown Maybe")
        #expect(try state("Sa 10:00-12:00 \"Maybe\"", "2012-10-06 12:00") == "closed")
        #expect(try state("We \"call\"", "2012-10-03 11:00") == "unknown call")
        #expect(try state("Sa 10:00-12:00 open \"hot meals\"", "2012-10-06 11:00") == "open hot meals")
    }
}
