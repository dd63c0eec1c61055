// SPDX-License-Identifier: Apache-2.0

import Geodesy
import TestSupport
import TestTurns
import Testing
import WaymarkJSON

@testable import WaymarkCommands

@Suite("Lines of receivers", .computing, .timeLimit(.minutes(5)))
struct CLIPositionLinesTests {
    private static let rmc = "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A"
    private static let gga = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47"

    private static func read(_ lines: String...) throws -> [Fix?] {
        var reader = PositionLines()
        return try lines.map { try reader.read($0) }
    }

    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)"
    }

    private static func fix(_ latitude: Double, _ longitude: Double, _ time: String? = nil) throws -> Fix {
        Fix(
            place: try Coordinate(latitude: latitude, longitude: longitude),
            at: time.flatMap { Timestamp.milliseconds(rfc3339: $0) })
    }

    /// The sentences are the examples of <https://gpsd.gitlab.io/gpsd/NMEA.html> and of many receivers' manuals.
    @Test func nmea() throws {
        let munich = try Self.fix(48 + 7.038 / 60, 11 + 31.0 / 60, "1994-03-23T12:35:19Z")
        let untimed = Fix(place: munich.place)
        #expect(try Self.read(Self.rmc + "\r") == [munich])
        #expect(try Self.read(Self.gga) == [untimed])
        // Once there is RMC, GGA only repeats it.
        #expect(try Self.read(Self.gga, Self.rmc, Self.gga, Self.rmc) == [untimed, munich, nil, munich])
        let south = Self.sentence("GNRMC,000000.250,A,3351.408,S,15112.918,W,,,010126,,,A")
        #expect(try Self.read(south) == [Self.fix(-33.8568, -151.2153, "2026-01-01T00:00:00.25Z")])
        for silent in [
            Self.sentence("GPRMC,123519,V,,,,,,,230394,,"), Self.sentence("GPGGA,123519,,,,,0,,,,,,,,"),
            Self.sentence("GPGSV,2,1,08,01,40,083,46"), "!AIVDM,1,1,,A,x,0*00", "", "  ",
        ] { #expect(try Self.read(silent) == [nil], "\(silent)") }
    }

    @Test(arguments: [
        "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
        "$GPRMC,123519,A,4807.039,N,01131.000,E,022.4,084.4,230394,003.1,W*6A", "$*", "$*00*", "$",
        sentence("GPRMC,123519,A,4807.038,N"), sentence("GPRMC,123519,A,9107.038,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,123519,A,4860.000,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,123519,A,4807.038,E,01131.000,N,,,230394,,"),
        sentence("GPRMC,123519,A,48nan,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,996199,A,4807.038,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,123519,A,4807.038,N,01131.000,E,,,310294,,"), "{", "{}", "[]", "{\"lat\":91,\"lon\":0}",
        "{\"lat\":1,\"lon\":2,\"time\":\"noon\"}", "north", "1", String(repeating: "1", count: 9_000),
    ])
    func refused(_ line: String) { #expect(throws: BadValue.self) { try Self.read(line) } }

    @Test func gpsd() throws {
        #expect(
            try Self.read(
                #"{"class":"VERSION","release":"3.22"}"#,
                #"{"class":"TPV","mode":1,"time":"2026-03-01T09:30:00.000Z"}"#,
                #"{"class":"TPV","device":"/dev/ttyS0","mode":3,"time":"2026-03-01T09:30:01.000Z","lat":-33.8568,"lon":151.2153,"alt":3.2}"#,
                #"{"rev":7,"at":"2026-03-01T09:30:02.000Z","lat":-33.8,"lng":151.2}"#
            ) == [
                nil, nil, Self.fix(-33.8568, 151.2153, "2026-03-01T09:30:01Z"),
                Self.fix(-33.8, 151.2, "2026-03-01T09:30:02Z"),
            ])
    }

    @Test func typed() throws {
        #expect(
            try Self.read("-33.8568,151.2153", "geo:48.2,16.37", "33°51'S 151°12'E") == [
                Self.fix(-33.8568, 151.2153), Self.fix(48.2, 16.37), Self.fix(-33.85, 151.2),
            ])
    }

    /// Nothing that a line can hold ends the program.
    @Test func anything() throws {
        var random = SplitMix64(seed: 11)
        var reader = PositionLines()
        let seeds = [Self.rmc, Self.gga, #"{"class":"TPV","mode":3,"lat":-33.8568,"lon":151.2153}"#, "-33.8,151.2"]
        for number in 0..<20_000 {
            var bytes = Array(seeds[number % seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.insert(.random(in: 32...126, using: &random), at: place)
                default: if bytes.count > 1 { bytes.remove(at: place) }
                }
            }
            let line = String(decoding: bytes, as: UTF8.self)
            let mended = line.hasPrefix("$") ? Self.sentence(String(line.dropFirst().prefix { $0 != "*" })) : line
            _ = try? reader.read(mended)
        }
    }
}
