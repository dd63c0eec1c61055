// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Landmarks

@Suite("A position as people write it", .inShortTurn)
struct PositionTextTests {
    @Test(arguments: [
        ("-33.8568,151.2153", -33.8568, 151.2153), ("-33.86 151.21", -33.86, 151.21), (" -1, +2 ", -1, 2),
        ("33.8S,151.2E", -33.8, 151.2), ("33.5S 151.25E", -33.5, 151.25), ("S33.5 W151.25", -33.5, -151.25),
        ("33°51'S 151°12'E", -33.85, 151.2), ("33° 30' S, 151° 15' E", -33.5, 151.25),
        ("33° 30' S 151° 15' E", -33.5, 151.25), ("151.25E,33.5S", -33.5, 151.25),
        ("33°51'36\"S,151°12'36\"E", -33.86, 151.21), ("33°51′36″s 151°12′36″e", -33.86, 151.21),
        ("-33°30',151°15'", -33.5, 151.25), ("33°30.6'N 0°W", 33.51, 0), ("33°51'36''S 151°E", -33.86, 151),
        ("90,180", 90, 180), ("-90,-180", -90, -180), ("1e1,.5", 10, 0.5), ("5S,6", -5, 6), ("5,6W", 5, -6),
        ("geo:-33.8568,151.2153", -33.8568, 151.2153), ("GEO:1,2,30;u=35", 1, 2),
        (" geo:1.5,-2;crs=WGS84;u=1", 1.5, -2), ("1 S,2 E", -1, 2),
    ])
    func isRead(_ text: String, _ latitude: Double, _ longitude: Double) throws {
        let coordinate = try PositionText.coordinate(text)
        #expect(abs(coordinate.latitude - latitude) < 1e-12 && abs(coordinate.longitude - longitude) < 1e-12)
    }

    @Test(arguments: [
        "", ",", "1", "1,", "1,2,3", "north,south", "0x1p3,2", "33,8S 151,2E", "33S,151S", "33E,151E", "33E,151",
        "33,151N",
        "-33S,151E", "33°60'S 151°E", "33.5°30'S 151°E", "33°1'60\"S 151°E", "33°5S 151°E", "33°-5'S 151°E", "1 2 3",
        "+-1,2", "--1,2", "1°2'3'4\"S 5E", "NS,EW", "°,°",
        "geo:", "geo:1", "geo:1,2,3,4", "geo:1,2;crs=nad27", "geo:1,,2", "geo:33S,151E", "geo:1;2", "geo: 1,2",
        "geo:1e1,2",
        "geo:1,2,x",
    ])
    func isRefused(_ text: String) {
        #expect(throws: PositionTextError.malformed) { try PositionText.coordinate(text) }
    }

    @Test(
        "what other programs write and copy",
        arguments: [
            ("geo:60.05435,30.42577?z=20", 60.05435, 30.42577), ("geo:60.05435,30.42577;u=35?z=15", 60.05435, 30.42577),
            ("geo:0,0?q=37.78918,-122.40335(Office)", 37.78918, -122.40335),
            ("geo:0,0?z=3&q=37.5%2C-122.25%28A%29", 37.5, -122.25), ("geo:48.5,11.5?q=restaurants", 48.5, 11.5),
            ("geo:48.5,11.5?q=48.25,11.25(here)", 48.25, 11.25), ("geo:−1,2", -1, 2),
            ("\u{2212}33.8568, 151.2153", -33.8568, 151.2153), ("–33.5 151.5", -33.5, 151.5),
            ("－３３．５，１５１．５", -33.5, 151.5), ("٣٣.٥ ١٥١.٥", 33.5, 151.5), ("１,２", 1, 2),
            ("(-33.8568, 151.2153)", -33.8568, 151.2153), ("（33.5，-151）", 33.5, -151), ("1.5; 2", 1.5, 2),
            ("\u{200e}-33.5,\u{a0}151.5\u{feff}", -33.5, 151.5), ("33.5\u{202f}151.5", 33.5, 151.5),
            ("N48 12 34.567 E011 22 33.4", 48.209601944444444, 11.375944444444444),
            ("48 30 N, 11 15 E", 48.5, 11.25), ("S 33:30:36 W 151:15", -33.51, -151.25),
            ("33˚30’S 151˚15’E", -33.5, 151.25), ("33°30ʹ36ʺS 151°E", -33.51, 151),
            ("Lat: -33.5 Lng: 151.5", -33.5, 151.5), ("lat=-33.5, lon=151.5", -33.5, 151.5),
            ("Longitude: 151.5, Latitude: -33.5", -33.5, 151.5), ("latitude 33.5 S longitude 151.5 E", -33.5, 151.5),
            ("[-33.8568, 151.2153]", -33.8568, 151.2153),
        ])
    func isReadAsWell(_ text: String, _ latitude: Double, _ longitude: Double) throws {
        let coordinate = try PositionText.coordinate(text)
        #expect(abs(coordinate.latitude - latitude) < 1e-12 && abs(coordinate.longitude - longitude) < 1e-12)
    }

    @Test(
        "what may mean two positions, or none",
        arguments: [
            "33.5 - 151.5", "33.5 – 151.5", "48 12 34 11 22 33", "5 6 7W", "(1,2", "geo:0,0?q=Sydney",
            "geo:1?q=1,2", "geo:1,2;crs=x?z=1", "lat: 1 lat: 2", "lat: 1E lng: 2", "N48 60 0 E11 0 0", "N48 1.5 2 E11",
            "lat lng", "late, long", "[12.5, 48.25]", "１，２，３",
        ])
    func isNotGuessed(_ text: String) {
        #expect(throws: PositionTextError.self) { try PositionText.coordinate(text) }
    }

    @Test func saysWhatIsWrong() {
        #expect(throws: PositionTextError.coordinate(.longitudeOutOfRange(540))) {
            try PositionText.coordinate("1,540")
        }
        #expect(throws: PositionTextError.swapped(latitude: 151.2, longitude: -33.8)) {
            try PositionText.coordinate("151.2,-33.8")
        }
        #expect(throws: PositionTextError.coordinate(.latitudeOutOfRange(-91))) {
            try PositionText.coordinate("-91,100")
        }
        for text in ["nan,0", "0,-inf", "1e999,0", "0,nan"] {
            #expect(throws: PositionTextError.coordinate(.notFinite)) { try PositionText.coordinate(text) }
        }
        #expect(
            PositionTextError.swapped(latitude: 151.2, longitude: -33).description.contains("did you mean -33,151.2?"))
        #expect(throws: PositionTextError.malformed) {
            try PositionText.coordinate(String(repeating: "1", count: 1_000_000) + ",2")
        }
    }

    @Test func halves() {
        for half in ["1", "-1.5", "33S", "33°51'S", "nan", "\u{2212}33.5", "N48 12 34.5"] {
            #expect(PositionText.isHalf(half))
        }
        for other in ["", "1,2", "beach", "--limit", "0x1", "-"] { #expect(!PositionText.isHalf(other)) }
    }
}
