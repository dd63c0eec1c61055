// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import Support
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("Values of options", .inShortTurn)
struct CLIValuesTests {
    @Test(arguments: [
        ("-33.8568,151.2153", -33.8568, 151.2153), (" -1, +2 ", -1, 2), ("90,-180", 90, -180), ("1e1,.5", 10, 0.5),
    ])
    func positions(_ text: String, _ latitude: Double, _ longitude: Double) throws {
        let position = try Values.position(text)
        #expect(position.latitude == latitude)
        #expect(position.longitude == longitude)
    }

    @Test(
        arguments: [
            ("191,0", "latitude 191.0 is not within -90 and 90 degrees."),
            ("1,540", "longitude 540 is not within -180 and 180 degrees."),
            ("nan,0", "latitude and longitude must be finite numbers."),
            ("0,inf", "latitude and longitude must be finite numbers."),
            ("1e999,0", "latitude and longitude must be finite numbers."),
            ("1,2,3", PositionTextError.malformed.description),
        ])
    func wrongPositions(_ text: String, _ reason: String) {
        #expect(throws: BadValue(reason)) { try Values.position(text) }
    }

    @Test(arguments: [("5km", 5_000.0), ("800m", 800), ("1.5km", 1_500), ("2mi", 3_218.688), ("0", 0), ("250", 250)])
    func distances(_ text: String, _ metres: Double) throws {
        #expect(try Values.distance(text) == metres)
    }

    @Test(arguments: ["", "km", "5 km 3", "-1", "-1m", "nan", "infkm", "1e999", "5KM", "5ly", "0x10m"])
    func wrongDistances(_ text: String) {
        #expect(throws: BadValue.self) { try Values.distance(text) }
    }

    @Test(arguments: [("500ms", 500), ("5s", 5_000), ("1.5s", 1_500), ("2m", 120_000), ("1h", 3_600_000)])
    func durations(_ text: String, _ milliseconds: Int) throws {
        #expect(try Values.duration(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "5", "s", "0s", "-1s", "25h", "nans", "5 minutes", "0.1ms"])
    func wrongDurations(_ text: String) {
        #expect(throws: BadValue.self) { try Values.duration(text) }
    }

    @Test func ids() throws {
        let text = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"
        let id = try #require(UUIDv7(text))
        let (note, epoch) = (ValueForm<UUIDv7>.note, ValueForm<UUIDv7>.epoch)
        #expect(try Values.reference(text) == .whole(id) && note.read(text) == id && epoch.read(text) == id)
        for wrong in ["", "01933c6e", text + "0", text.replacing("-", with: "_")] {
            #expect(throws: BadValue.self) { try note.read(wrong) }
            #expect(throws: BadValue.self) { try epoch.read(wrong) }
        }
        for wrong in ["", " ", "\u{a0}\n"] {
            #expect(throws: BadValue.self) { try Values.reference(wrong) }
        }
        for name in ["01933c6", text + "0", "0193-3c6e", "opera house", "★"] {
            #expect(try Values.reference(name) == .name(name) && LandmarkReference(id: name) == nil)
        }
        let beginning = try #require(UUIDv7Beginning("01933C6E-7f"))
        #expect(try Values.reference("01933C6E-7f") == .beginning(beginning, typed: "01933C6E-7f"))
        #expect(beginning.least.description == "01933c6e-7f00-0000-0000-000000000000")
        #expect(beginning.greatest.description == "01933c6e-7fff-ffff-ffff-ffffffffffff")
        #expect(beginning.contains(id) && UUIDv7Beginning(id.short)?.contains(id) == true)
        #expect(id.short == "01933c6e-7f3a-7c21")
    }

    @Test func endpoints() throws {
        #expect(try Values.endpoint("tcp://127.0.0.1:7420") == "tcp://127.0.0.1:7420")
        #expect(try Values.endpoint("ipc:///run/waymark") == "ipc:///run/waymark")
        for wrong in ["", "127.0.0.1:7420", "http://x", "tcp://", "inproc://x", "tcp://h:65536", "tcp://h:*"] {
            #expect(throws: BadValue.self) { try Values.endpoint(wrong) }
        }
    }

    @Test func cursorsSurviveAShell() throws {
        for count in 0..<40 {
            let cursor = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 251) } + [0xfb, 0xff])
            let text = cursor.base64URL
            #expect(text.utf8.allSatisfy { $0 == 45 || $0 == 95 || ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 })
            #expect(Data(base64URL: text) == cursor)
            #expect(try Values.cursor(text) == cursor)
        }
        for wrong in ["", "a+b", "====", "ä"] { #expect(throws: BadValue.self) { try Values.cursor(wrong) } }
    }

    @Test(
        arguments: [
            ("airports.json", "airports"), ("/data/poi/a.seed.json", "a"),
            ("https://example.com/x/b.geojson?y=/z#w", "b"),
            ("https://example.com", "example-com"), ("https://example.com/", "example-com"), ("file:///x/c.json", "c"),
            (".hidden", "hidden"), ("", "source"), ("Air Ports_2.json", "air-ports-2"),
            ("\u{65e5}\u{672c}.csv", "source"),
            (String(repeating: "\u{e9}a", count: 64), String(repeating: "a-", count: 31) + "a"),
        ])
    func sourceNames(_ location: String, _ name: String) {
        #expect(SourceName.from(location) == name)
        #expect(throws: Never.self) { try SourceName.checked(name) }
    }

    @Test(arguments: ["Bad Name", "", "-a", "a_b", "\u{e9}", "A", String(repeating: "a", count: 65), "a.b"])
    func namesThatNoConfigurationCouldHave(_ name: String) {
        #expect(throws: BadValue.self) { try SourceName.checked(name) }
    }

    @Test func positionsForPeopleHaveSevenDigits() throws {
        let place = try Coordinate(latitude: 52.300000000000004, longitude: -13.123456789012345)
        #expect(Figures.position(place) == "52.3,-13.1234568")
        #expect(Figures.position(try Coordinate(latitude: -0.00000001, longitude: 180)) == "0,180")
    }
}
