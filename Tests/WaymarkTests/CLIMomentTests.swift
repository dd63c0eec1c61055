// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkJSON

@testable import WaymarkCLI

@Suite("Places in the history, and templates", .inShortTurn)
struct CLIMomentTests {
    @Test(arguments: [
        ("0", Moment.revision(0)), ("4711", .revision(4_711)), ("500ms", .ago(500)), ("1.5s", .ago(1_500)),
        ("5m", .ago(300_000)), ("2h", .ago(7_200_000)), ("7d", .ago(604_800_000)), ("2w", .ago(1_209_600_000)),
        ("1970-01-01T00:00:00Z", .time(0)), ("2026-03-01T09:30:00Z", .time(1_772_357_400_000)),
        ("2026-03-01t09:30:00.1234z", .time(1_772_357_400_123)),
        ("2026-03-01 20:30:00+11:00", .time(1_772_357_400_000)),
        ("2026-03-01T04:00:00-05:30", .time(1_772_357_400_000)), ("2024-02-29T00:00:00Z", .time(1_709_164_800_000)),
    ])
    func read(_ text: String, _ moment: Moment) throws {
        #expect(try Values.moment(text) == moment)
    }

    @Test(arguments: [
        "", "-1", "5", "m", "5 m", "1e3s", "18446744073709551616", "2026-03-01", "2026-03-01T09:30Z",
        "2026-03-01T09:30:00", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-03-01T24:00:00Z",
        "1969-12-31T23:59:59Z", "٢026-03-01T09:30:00Z",
    ])
    func refused(_ text: String) {
        // A bare number is a revision.
        if text == "5" { return }
        #expect(throws: BadValue.self) { try Values.moment(text) }
    }

    @Test func everyTimeComesBack() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let time = UInt64.random(in: 0..<8_000_000_000_000, using: &random)
            #expect(Timestamp.milliseconds(rfc3339: Timestamp.rfc3339(time)) == time)
        }
    }

    @Test func timesAgo() {
        #expect(Moment.ago(300).time(now: 1_000) == 700)
        #expect(Moment.ago(3_000).time(now: 1_000) == 0)
        #expect(Moment.revision(5).time(now: 1_000) == nil)
    }

    @Test func templates() throws {
        var landmark = try exampleLandmark()
        landmark.name = "red \u{1b}[31m"
        let position = Position(epoch: UUIDv7(high: 1, low: 2), rev: 7)
        func line(_ text: String) throws -> String {
            try ChangeTemplate(text).line(landmark, position, operation: "left", user: "ben", at: 0)
        }
        #expect(try line("{rev} {op} {name}") == #"7 left red \u{1b}[31m"#)
        #expect(try line(#"{lat},{lng}\t{kind}\n{user}\\ {{x}}"#) == "-33.8951,151.2745\tpool\nben\\ {x}")
        #expect(
            try line("{id} {time} {epoch}").hasSuffix("1970-01-01T00:00:00.000Z 00000000-0000-0001-0000-000000000002"))
        #expect(try line("{link} {source} {rating} {version}") == "https://example.com pools 4.5 3")
        for wrong in ["{", "{rev", "}", "{colour}", "{}", #"\x"#, #"a\"#] {
            #expect(throws: BadValue.self, "\(wrong)") { try ChangeTemplate(wrong) }
        }
        #expect(try ChangeFormat("template={rev}") == .template(ChangeTemplate("{rev}")))
        for wrong in ["", "xml", "template", "template="] {
            #expect(throws: BadValue.self) { try ChangeFormat(wrong) }
        }
    }

    @Test func areas() throws {
        let box = try AreaBox(south: -34, west: 151, north: -33.5, east: 151.5)
        #expect(try Values.area("-34,151,-33.5,151.5") == .box(box))
        // Fiji, and half of the Pacific. The same the wrong way round is nearly the whole world.
        for wide in ["-25,170,-10,-170", "-60,100,60,-70"] { #expect(throws: Never.self) { try Values.area(wide) } }
        let swapped = #expect(throws: BadValue.self) { try Values.area("-34,151.5,-33.5,151") }
        #expect(swapped?.description.contains("the west, 151.5, is east of the east, 151") == true)
        let file = FileManager.default.temporaryDirectory.path + "/waymark-area-\(UUID().uuidString).geojson"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try #"{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,0]]]}"#.write(
            toFile: file, atomically: true, encoding: .utf8)
        guard case .polygon(let polygon) = try Values.area(file) else {
            Issue.record("no polygon")
            return
        }
        #expect(polygon.rings.map(\.count) == [3])
        try "{}".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: BadValue.self) { try Values.area(file) }
        for wrong in ["1,2,3", "1,2,3,4,5", "a,2,3,4", "1,2,0,4", ",1,2,3,4", "91,0,92,0", "/nowhere/area.geojson", ""]
        {
            #expect(throws: BadValue.self, "\(wrong)") { try Values.area(wrong) }
        }
    }
}
