// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import OpeningHours

@Suite("Time zones, and hours in them", .inShortTurn)
struct TimeZoneTests {
    private func seconds(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) -> Int64 {
        Int64(CivilDate(year: year, month: month, day: day).days) * 86_400 + Int64(hour * 3_600 + minute * 60)
    }

    private static let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3"
    private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"

    @Test("daylight saving on both hemispheres, zones without it, and odd rules")
    func rules() throws {
        let (sydney, berlin) = (try FixedZone.zone(Self.sydney), try FixedZone.zone(Self.berlin))
        // 2026-10-04 02:00 in Sydney, standard time, is 16:00 of the day before.
        #expect(sydney.offset(at: seconds(2026, 10, 3, 15, 59)) == 36_000)
        #expect(sydney.offset(at: seconds(2026, 10, 3, 16)) == 39_600)
        #expect(sydney.offset(at: seconds(2026, 1, 1, 0)) == 39_600)
        #expect(sydney.offset(at: seconds(2026, 4, 4, 15, 59)) == 39_600)
        #expect(sydney.offset(at: seconds(2026, 4, 4, 16)) == 36_000)
        #expect(berlin.offset(at: seconds(2026, 3, 29, 0, 59)) == 3_600)
        #expect(berlin.offset(at: seconds(2026, 3, 29, 1)) == 7_200)
        #expect(berlin.offset(at: seconds(2026, 10, 25, 1)) == 3_600)
        #expect(try FixedZone.zone("IST-5:30").offset(at: 0) == 19_800)
        #expect(try FixedZone.zone("<-03>3").offset(at: 0) == -10_800)
        #expect(try FixedZone.zone("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0").offset(at: seconds(2026, 1, 1, 0)) == 39_600)
        #expect(try FixedZone.zone("EST5EDT,J60,300/1:30").offset(at: seconds(2028, 3, 1, 7)) == -14_400)
        #expect(try FixedZone.zone("EST5EDT,J60,300/1:30").offset(at: seconds(2028, 2, 29, 12)) == -18_000)
    }

    @Test("files that are none", arguments: [0, 4, 43, 44, 60, 100, 104, 118])
    func cut(count: Int) throws {
        let whole = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39) + Array("TZif2".utf8)
        #expect(TimeZoneFile("x", bytes: Array(whole.prefix(count))) == nil)
        #expect(TimeZoneFile("x", bytes: [UInt8](repeating: 0xff, count: count)) == nil)
    }

    @Test(
        "names become no path", arguments: ["", "/etc/passwd", "../../etc/passwd", "a//b", "a/b/c/d", "Ünl", "a\u{0}"])
    func names(name: String) {
        #expect(TimeZoneFile(name) == nil)
    }

    private func place(_ rule: String) throws -> OpeningPlace {
        OpeningPlace(zone: try FixedZone.zone(rule), latitude: -33.8568, longitude: 151.2153)
    }

    @Test("open until, closed until, and never")
    func until() throws {
        let place = try place(Self.sydney)
        let hours = try OpeningHours("Mo-Fr 09:00-17:00")
        // 2026-11-23 10:00 in Sydney is 23:00 of the day before.
        let open = hours.state(at: seconds(2026, 11, 22, 23), in: place)
        #expect(open.kind == .open && open.until == seconds(2026, 11, 23, 6))
        // Friday evening: until Monday.
        let closed = hours.state(at: seconds(2026, 11, 27, 7), in: place)
        #expect(closed.kind == .closed && closed.until == seconds(2026, 11, 29, 22))
        for (text, kind) in [("24/7", OpeningState.Kind.open), ("off", .closed), ("\"call us\"", .unknown)] {
            let always = try OpeningHours(text)
            #expect(always.state(at: 0, in: place).kind == kind && always.state(at: 0, in: place).until == nil)
            #expect(always.constant?.kind == kind)
        }
        #expect(hours.constant == nil && hours.kind(at: seconds(2026, 11, 22, 23), in: place) == .open)
        // Once a week, once a month, once a year.
        let monday = try OpeningHours("Mo 10:00-11:00").state(at: seconds(2026, 11, 23, 0), in: place)
        #expect(monday.until == seconds(2026, 11, 29, 23))
        let third = try OpeningHours("Mo[3] 10:00-11:00").state(at: seconds(2026, 11, 23, 0), in: place)
        #expect(third.until == seconds(2026, 12, 20, 23))
        let yearly = try OpeningHours("Nov 22 10:00-11:00").state(at: seconds(2026, 11, 23, 0), in: place)
        #expect(yearly.until == seconds(2027, 11, 21, 23))
        let night = try OpeningHours("Fr,Sa 20:00-02:00").state(at: seconds(2026, 11, 27, 14), in: place)
        #expect(night.kind == .open && night.until == seconds(2026, 11, 27, 15))
    }

    @Test("a day with 23 hours and one with 25")
    func daylightSaving() throws {
        let place = try place(Self.berlin)
        let hours = try OpeningHours("01:00-04:00")
        // 2026-03-29 has no 02:00 to 03:00: three hours on the clock are two.
        let spring = hours.state(at: seconds(2026, 3, 29, 0), in: place)
        #expect(spring.kind == .open && spring.until == seconds(2026, 3, 29, 2))
        // 2026-10-25 has 02:00 to 03:00 twice.
        let autumn = hours.state(at: seconds(2026, 10, 24, 23), in: place)
        #expect(autumn.kind == .open && autumn.until == seconds(2026, 10, 25, 3))
        let twice = try OpeningHours("02:15-02:45")
        #expect(twice.state(at: seconds(2026, 10, 25, 0, 30), in: place).kind == .open)
        #expect(twice.state(at: seconds(2026, 10, 25, 1, 30), in: place).kind == .open)
        // In the gap it opens after the gap, as the clock does.
        #expect(twice.state(at: seconds(2026, 3, 29, 1, 0), in: place).kind == .closed)
    }

    @Test("holidays are not known: what is closed without them is unknown, what is open is open")
    func holidays() throws {
        let place = try place(Self.sydney)
        let noon = seconds(2026, 11, 23, 1)
        #expect(try OpeningHours("PH 10:00-14:00").state(at: noon, in: place).kind == .unknown)
        #expect(try OpeningHours("Mo 10:00-14:00; PH off").state(at: noon, in: place).kind == .open)
        #expect(try OpeningHours("Tu 10:00-14:00; PH off").state(at: noon, in: place).kind == .closed)
        #expect(try OpeningHours("SH,Mo-Fr 10:00-14:00").state(at: noon, in: place).kind == .open)
    }

    @Test("the sun in Sydney, within three minutes; in the far north it does not set")
    func sun() throws {
        let day = CivilDate(year: 2026, month: 11, day: 23)
        let place = try place(Self.sydney)
        // 05:39:49 and 19:43:23 by PyPI's astral 3.2.
        let (rise, set) = (
            try #require(place.minutes(of: .sunrise, on: day)), try #require(place.minutes(of: .sunset, on: day))
        )
        #expect(abs(rise - (5 * 60 + 40)) <= 3 && abs(set - (19 * 60 + 43)) <= 3)
        let north = OpeningPlace(zone: try FixedZone.zone("CET-1"), latitude: 70, longitude: 20)
        let hours = try OpeningHours("sunrise-sunset")
        #expect(hours.state(at: seconds(2026, 6, 21, 12), in: north).kind == .unknown)
    }
}
