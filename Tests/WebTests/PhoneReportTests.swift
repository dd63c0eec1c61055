// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSON
import Landmarks
import TestTurns
import Testing

/// The bodies have the members that the documentation of each app names, with values of the tests' own.
@Suite("Reports of phones", .computing)
struct PhoneReportTests {
    private static let now: UInt64 = 1_790_000_000_000

    private static func point(
        _ latitude: Double, _ longitude: Double, _ time: UInt64, accuracy: Double? = nil, speed: Double? = nil
    ) throws -> TrackPoint {
        let place = try Coordinate(latitude: latitude, longitude: longitude)
        return TrackPoint(rev: 0, at: time, coordinate: place, accuracy: accuracy, speed: speed)
    }

    private static func form(_ parameters: [String: String]) throws(ReportRefusal) -> [TrackPoint] {
        try OsmAndReport.points(now: now) { parameters[$0] }
    }

    private static func value(_ text: String) throws(ReportRefusal) -> JSONValue {
        try ReportRefusal.read(Array(text.utf8))
    }

    @Test("OwnTracks: a location counts with its tst, its speed is of kilometres an hour")
    func ownTracks() throws {
        let location = """
            {"_type":"location","_id":"5c1f","acc":12,"alt":31,"batt":64,"bs":1,"cog":270,"conn":"m","created_at":1764243100,\
            "lat":-33.8568,"lon":151.2153,"m":1,"t":"u","tid":"an","topic":"owntracks/ann/phone","tst":1764243096,"vac":3,"vel":36}
            """
        let expected = try Self.point(-33.8568, 151.2153, 1_764_243_096_000, accuracy: 12, speed: 10)
        #expect(try OwnTracksReport.points(Array(location.utf8), now: Self.now) == [expected])
        let bare = #"{"_type":"location","lat":"-33.8568","lon":"151.2153","tid":"an"}"#
        #expect(
            try OwnTracksReport.points(Array(bare.utf8), now: Self.now) == [
                Self.point(-33.8568, 151.2153, Self.now)
            ])
    }

    @Test(
        "OwnTracks: other messages move nothing",
        arguments: [
            "", #"{"_type":"waypoint","desc":"Home","lat":40.1,"lon":-3.9,"rad":100,"tst":1500000000}"#,
            #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","lat":1,"lon":2,"tst":3}]}"#,
            #"{"_type":"transition","event":"enter","desc":"Home","lat":40.1,"lon":-3.9,"tst":1732560000,"wtst":1}"#,
            #"{"_type":"card","name":"Ann","tid":"an"}"#, #"{"_type":"status","android":{"hib":0}}"#,
            #"{"_type":"lwt","tst":1732560001}"#, #"{"_type":"steps","steps":12,"tst":1}"#,
        ])
    func silent(_ message: String) throws {
        #expect(try OwnTracksReport.points(Array(message.utf8), now: Self.now).isEmpty)
    }

    @Test("OwnTracks: an encrypted message is refused by its name")
    func encrypted() {
        let refusal = #expect(throws: ReportRefusal.self) {
            try OwnTracksReport.points(Array(#"{"_type":"encrypted","data":"AAAA"}"#.utf8), now: Self.now)
        }
        #expect(refusal == .encrypted)
    }

    @Test("OsmAnd, Traccar Client before version 9, GPSLogger: the parameters of a query")
    func parameters() throws {
        // OsmAnd sends milliseconds and metres a second.
        let osmAnd = [
            "lat": "-33.8568", "lon": "151.2153", "timestamp": "1764243096123", "hdop": "4.0", "altitude": "31.0",
            "speed": "1.5", "bearing": "90.0",
        ]
        #expect(try Self.form(osmAnd) == [Self.point(-33.8568, 151.2153, 1_764_243_096_123, speed: 1.5)])
        // Traccar Client sends seconds and knots.
        var traccar = [
            "id": "482911", "lat": "-33.8568", "lon": "151.2153", "timestamp": "1764243096", "speed": "36",
            "bearing": "12", "altitude": "3", "accuracy": "7.5", "batt": "80.0",
        ]
        let knots = 36 * (1_852.0 / 3_600)
        #expect(
            try Self.form(traccar) == [
                Self.point(-33.8568, 151.2153, 1_764_243_096_000, accuracy: 7.5, speed: knots)
            ])
        for (text, time) in [
            ("2025-11-27T11:31:36Z", 1_764_243_096_000), ("2025-11-27 11:31:36", 1_764_243_096_000),
            ("2025-11-27T12:31:36.5+01:00", 1_764_243_096_500), ("2025-11-27T12:31:36+0100", 1_764_243_096_000),
        ] {
            traccar["timestamp"] = text
            #expect(try Self.form(traccar).map(\.at) == [UInt64(time)], "\(text)")
        }
        #expect(
            try Self.form(["location": "-33.8568,151.2153"]) == [Self.point(-33.8568, 151.2153, Self.now)])
        #expect(try Self.form(osmAnd.merging(["valid": "false"]) { $1 }).isEmpty)
        for wrong in [
            ["lat": "1"], ["lat": "91", "lon": "2"], ["lat": "nan", "lon": "2"], ["location": "1"],
            ["lat": "1", "lon": "2", "timestamp": "noon"], ["lat": "1", "lon": "2", "timestamp": "-1"], [:],
        ] {
            #expect(throws: ReportRefusal.self, "\(wrong)") { try Self.form(wrong) }
        }
    }

    @Test("Traccar Client from version 9 on: a body, alone or with several locations")
    func traccar() throws {
        let location = """
            {"timestamp":"2025-11-27T11:31:36.000Z","coords":{"latitude":-33.8568,"longitude":151.2153,"accuracy":5,"speed":-1,\
            "heading":-1,"altitude":31},"is_moving":true,"odometer":12,"event":"motionchange","battery":{"level":0.5,\
            "is_charging":false},"activity":{"type":"walking"},"extras":{}}
            """
        let expected = try Self.point(-33.8568, 151.2153, 1_764_243_096_000, accuracy: 5)
        for (body, count) in [(location, 1), ("[\(location),\(location)]", 2)] {
            let report = #"{"location":\#(body),"device_id":"482911"}"#
            let points = try OsmAndReport.points(Self.value(report), now: Self.now)
            #expect(points == Array(repeating: expected, count: count))
        }
        #expect(throws: ReportRefusal.self) { try OsmAndReport.points(Self.value(#"{"location":{}}"#), now: Self.now) }
        // The app would send the batch again for ever.
        let mixed = #"{"location":[{"timestamp":"","coords":{}},\#(location)]}"#
        #expect(try OsmAndReport.points(Self.value(mixed), now: Self.now) == [expected])
    }

    @Test("Overland: a batch counts without the features that say nothing")
    func overland() throws {
        func feature(_ geometry: String, _ time: String, speed: Int = 4) -> String {
            """
            {"type":"Feature","geometry":\(geometry),"properties":{"timestamp":"\(time)","altitude":31,"speed":\(speed),\
            "horizontal_accuracy":30,"vertical_accuracy":-1,"motion":["driving"],"battery_state":"charging",\
            "battery_level":0.89,"device_id":"","wifi":""}}
            """
        }
        let place = #"{"type":"Point","coordinates":[151.2153,-33.8568,31]}"#
        let features = [
            feature(place, "2025-11-27T04:31:36-0700"), feature(place, "2025-11-27T11:31:37Z", speed: -1),
            feature(place, "noon"), feature("null", "2025-11-27T11:31:38Z"), "{}", "7",
            feature(#"{"type":"Point","coordinates":[151.2153]}"#, "2025-11-27T11:31:38Z"),
            feature(#"{"type":"Point","coordinates":[151.2153,91]}"#, "2025-11-27T11:31:38Z"),
        ]
        let batch = #"{"locations":[\#(features.joined(separator: ","))],"current":{},"trip":{}}"#
        #expect(
            try OverlandReport.points(Self.value(batch)) == [
                Self.point(-33.8568, 151.2153, 1_764_243_096_000, accuracy: 30, speed: 4),
                Self.point(-33.8568, 151.2153, 1_764_243_097_000, accuracy: 30),
            ])
        let many = #"{"locations":[\#(Array(repeating: "{}", count: 1_001).joined(separator: ","))]}"#
        let refusal = #expect(throws: ReportRefusal.self) { try OverlandReport.points(Self.value(many)) }
        #expect(refusal == .tooMany)
    }
}
