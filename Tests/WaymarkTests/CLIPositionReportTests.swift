// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("JSON of receivers", .computing)
struct CLIPositionReportTests {
    /// <https://owntracks.org/booklet/tech/json/>: `tst` is in Unix seconds, and only `location` says where the device is.
    @Test func ownTracks() throws {
        let (fixes, notices) = CLIPositionLinesTests.read(
            #"{"_type":"location","tid":"ne","lat":51.5178,"lon":-0.184,"acc":4,"batt":80,"tst":1732559897,"t":"u"}"#,
            #"{"_type":"waypoint","desc":"Home","lat":40.0,"lon":-3.9,"rad":100,"tst":1500000000}"#,
            #"{"_type":"waypoint","desc":"Home","lat":"40.0","lon":"-3.9","rad":"100","tst":"1500000000"}"#,
            #"{"_type":"transition","event":"enter","desc":"Home","lat":40.0,"lon":-3.9,"tst":1732560000}"#,
            #"{"_type":"lwt","tst":1732560001}"#, #"{"_type":"status","android":{"wifi":1}}"#,
            #"{"_type":"location","tid":"ne","lat":51.518,"lon":-0.185,"tst":1732559957,"inregions":["a"],"isotst":"x"}"#
        )
        #expect(
            try fixes == [
                CLIPositionLinesTests.fix(51.5178, -0.184, "2024-11-25T18:38:17Z"),
                CLIPositionLinesTests.fix(51.518, -0.185, "2024-11-25T18:39:17Z"),
            ])
        #expect(notices.isEmpty)
    }

    @Test(arguments: [
        #""tst":1732559897"#, #""tst":1732559897.0"#, #""tst":"1732559897""#, #""timestamp":1732559897"#,
        #""timestamp":1732559897000"#, #""timestamp":"1732559897000""#, #""ts":1732559897"#,
        #""time":"2024-11-25T18:38:17Z""#, #""time":1732559897,"server_time":"x""#,
        #""at":"2024-11-25T19:38:17+01:00""#,
        #""Timestamp":"2024-11-25 18:38:17Z""#, #""datetime":"2024-11-25T18:38:17Z""#, #""date_time":1732559897"#,
        #""fixTime":"2024-11-25T18:38:17.000Z","deviceTime":"x""#, #""time":null,"tst":1732559897"#,
        #""recorded_at":"2024-11-25T18:38:17Z""#,
    ])
    func namesOfTimes(member: String) throws {
        let (fixes, notices) = CLIPositionLinesTests.read("{\"lat\":1,\(member),\"lon\":2}")
        #expect(try fixes == [CLIPositionLinesTests.fix(1, 2, "2024-11-25T18:38:17Z")], "\(notices)")
    }

    @Test(arguments: [
        "{\"lat\":1,\"lon\":2,\"tst\":-1}", "{\"lat\":1,\"lon\":2,\"tst\":1e300}", "{\"lat\":1,\"lon\":2,\"tst\":true}",
        "{\"lat\":1,\"lon\":2,\"tst\":[1]}", "{\"_type\":\"encrypted\",\"data\":\"x\"}", "{\"lat\":true,\"lon\":2}",
        // A time under a name that is not read: "now" would be wrong.
        "{\"lat\":1,\"lon\":2,\"serverTime\":\"2026-03-01T09:30:00Z\"}", "{\"lat\":1,\"lon\":2,\"created_at\":1}",
        "{\"lat\":1,\"lon\":2,\"date\":\"2026-03-01\"}",
    ])
    func refused(_ line: String) {
        let (fixes, notices) = CLIPositionLinesTests.read(line)
        #expect(fixes.isEmpty && notices.contains("is skipped"))
    }

    /// Anything that has a place may lie on stdin, and most of it says nothing about where the receiver is now.
    @Test func withoutATimeOnlyKnownProgramsCount() throws {
        let unknown = CLIPositionLinesTests.read(#"{"lat":1,"lon":2,"name":"a shop"}"#)
        #expect(unknown.fixes.isEmpty && unknown.notices.contains("the JSON has no time"))
        for known in [
            #"{"class":"TPV","mode":3,"lat":1,"lon":2}"#, #"{"_type":"location","lat":1,"lon":2}"#,
            #"{"location":{"coords":{"latitude":1,"longitude":2}},"device_id":"7"}"#,
        ] {
            #expect(try CLIPositionLinesTests.read(known).fixes == [CLIPositionLinesTests.fix(1, 2)], "\(known)")
        }
    }

    @Test func reportsOfPhones() throws {
        let (fixes, notices) = CLIPositionLinesTests.read(
            #"{"location":{"timestamp":"2024-11-25T18:38:17Z","coords":{"latitude":1,"longitude":2}}}"#,
            #"{"locations":[{"geometry":{"type":"Point","coordinates":[2,1]},"properties":{"timestamp":"2024-11-25T18:38:17Z"}}]}"#
        )
        #expect(try fixes == Array(repeating: CLIPositionLinesTests.fix(1, 2, "2024-11-25T18:38:17Z"), count: 2))
        #expect(notices.isEmpty)
    }

    @Test func aTimeUnderAnotherNameIsNamed() {
        let named = CLIPositionLinesTests.read(#"{"lat":1,"lon":2,"serverTime":"x"}"#).notices
        #expect(named.contains(#"the JSON's time has the unknown name "serverTime": call it "time"."#))
        // Names that only resemble one say nothing.
        let plain = #"{"lat":1,"lon":2,"tst":7,"timezone":"x","time_zone":"x","update":1,"battery":9,"format":"x"}"#
        #expect(CLIPositionLinesTests.read(plain).fixes.count == 1)
        #expect(!CLIPositionLinesTests.read(#"{"lat":1,"lon":2,"\u001b[2J time":"x"}"#).notices.contains("\u{1b}"))
    }
}
