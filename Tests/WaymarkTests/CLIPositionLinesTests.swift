// SPDX-License-Identifier: Apache-2.0

import Geodesy
import TestSupport
import TestTurns
import Testing
import WaymarkJSON

@testable import WaymarkCLI

@Suite("Lines of receivers", .computing)
struct CLIPositionLinesTests {
    private static let rmc = "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A"
    private static let gga = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47"

    /// - Returns: the fixes, and the notices about lines that are skipped.
    static func read(_ lines: String...) -> (fixes: [Fix], notices: String) {
        let err = MemorySink()
        var surroundings = Surroundings(environment: [:], out: MemorySink(), err: err)
        surroundings.readLine = stdinLines(lines)
        var fixes: [Fix] = []
        surroundings.readFixes(surroundings.output(.text, .never)) { fixes.append($0) }
        return (fixes, err.text)
    }

    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)"
    }

    static func fix(_ latitude: Double, _ longitude: Double, _ time: String? = nil) throws -> Fix {
        Fix(
            place: try Coordinate(latitude: latitude, longitude: longitude),
            at: time.flatMap { Timestamp.milliseconds(rfc3339: $0) })
    }

    /// The sentences are the examples of <https://gpsd.gitlab.io/gpsd/NMEA.html> and of many receivers' manuals.
    @Test func nmea() throws {
        let munich = try Self.fix(48 + 7.038 / 60, 11 + 31.0 / 60, "1994-03-23T12:35:19Z")
        let untimed = Fix(place: munich.place)
        #expect(Self.read(Self.rmc + "\r").fixes == [munich])
        #expect(Self.read(Self.gga).fixes == [untimed])
        let south = Self.sentence("GNRMC,000000.250,A,3351.408,S,15112.918,W,,,010126,,,A")
        #expect(try Self.read(south).fixes == [Self.fix(-33.8568, -151.2153, "2026-01-01T00:00:00.25Z")])
        for silent in [
            Self.sentence("GPRMC,123519,V,,,,,,,230394,,"), Self.sentence("GPGGA,123519,,,,,0,,,,,,,,"),
            Self.sentence("GPGLL,,,,,123519,V,N"), Self.sentence("GNGNS,123519,,,,,NN,,,,,,"),
            Self.sentence("GPGSV,2,1,08,01,40,083,46"), "!AIVDM,1,1,,A,x,0*00", "\\s:x*00\\!AIVDM,1,1,,A,x,0*00", "",
            "  ",
        ] {
            let (fixes, notices) = Self.read(silent)
            #expect(fixes.isEmpty && notices.isEmpty, "\(silent)")
        }
    }

    private static func gga(_ time: String, _ minutes: String) -> String {
        sentence("GPGGA,\(time),4807.\(minutes),N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
    }

    private static func rmc(_ time: String, _ minutes: String, _ date: String = "230394", status: String = "A")
        -> String
    {
        sentence("GPRMC,\(time),\(status),4807.\(minutes),N,01131.000,E,,,\(date),,")
    }

    /// A receiver sends several sentences for one fix, RMC among the last; the others have no date.
    @Test func sentencesWithoutADateCountOnlyWithoutRMC() throws {
        func place(_ minutes: Double) throws -> Coordinate {
            try Coordinate(latitude: 48 + minutes / 60, longitude: 11 + 31.0 / 60)
        }
        let (first, second) = (try place(7.038), try place(7.138))
        // The first epoch begins with GGA, and its RMC comes later.
        let replay = Self.read(
            Self.gga("235959", "038"), Self.sentence("GPGSV,2,1,08,01,40,083,46"), Self.rmc("235959", "038"),
            Self.gga("000000", "138"), Self.rmc("000000", "138", "240394"))
        #expect(replay.fixes.map(\.place) == [first, second])
        #expect(
            replay.fixes.map(\.at) == [
                Timestamp.milliseconds(rfc3339: "1994-03-23T23:59:59Z"),
                Timestamp.milliseconds(rfc3339: "1994-03-24T00:00:00Z"),
            ])
        // A recording may begin in the middle of an epoch, and with a receiver that has no fix yet.
        #expect(Self.read(Self.gga("235958", "000"), Self.rmc("235959", "038")).fixes.map(\.place) == [first])
        #expect(
            Self.read(Self.rmc("1", "038", status: "V"), Self.gga("235959", "138"), Self.rmc("235959", "038")).fixes
                .map(\.place)
                == [first])
        // Without RMC each epoch is one fix, whichever sentences it has.
        let gll = Self.sentence("GPGLL,4807.138,N,01131.000,E,123520,A,A")
        let gns = Self.sentence("GNGNS,123521,4807.038,N,01131.000,E,AN,08,0.9,545.4,46.9,,")
        let other = Self.read(Self.gga("123519", "038"), gll, Self.gga("123520", "138"), gns, gns)
        #expect(other.fixes == [Fix(place: first), Fix(place: second), Fix(place: first)])
        #expect(Self.read(gll).fixes == [Fix(place: second)] && Self.read(gns).fixes == [Fix(place: first)])
        // A second GGA of one epoch tells nothing about RMC.
        #expect(
            Self.read(Self.gga("123519", "038"), Self.gga("123519", "038"), Self.rmc("123519", "038")).fixes.count == 1)
    }

    /// Tag blocks are of NMEA 0183, 4.0; Android's GnssLogger and others write a word or a time before the sentence.
    @Test func sentencesMayStandWithinALine() throws {
        let munich = try Self.fix(48 + 7.038 / 60, 11 + 31.0 / 60, "1994-03-23T12:35:19Z")
        for line in [
            "\\c:764426119*50\\\(Self.rmc)", "\\g:1-2-7,s:r*00\\\(Self.rmc)", "NMEA,\(Self.rmc),764426119000",
            "1994-03-23 12:35:19 \(Self.rmc)", "[12:35:19] \(Self.rmc)\r", "\u{feff}\(Self.rmc)",
            "$GPGSV,1,1,00*79\(Self.rmc)", "\(Self.rmc)$GPGSV,1,1,00*79",
        ] {
            let (fixes, notices) = Self.read(line)
            #expect(fixes == [munich] && notices.isEmpty, "\(line) \(notices)")
        }
    }

    @Test(arguments: [
        "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
        "$GPRMC,123519,A,4807.039,N,01131.000,E,022.4,084.4,230394,003.1,W*6A", "$*", "$*00*", "$", "$$", "at 12 $",
        "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A1", sentence("GPGLL,4807.038,N"),
        sentence("GNGNS,123521,4807.038"), sentence("GPGLL,4807.038,N,01131.000,N,123520,A,A"),
        sentence("GPRMC,123519,A,4807.038,N"), sentence("GPRMC,123519,A,9107.038,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,123519,A,4860.000,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,123519,A,4807.038,E,01131.000,N,,,230394,,"),
        sentence("GPRMC,123519,A,48nan,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,996199,A,4807.038,N,01131.000,E,,,230394,,"),
        sentence("GPRMC,123519,A,4807.038,N,01131.000,E,,,310294,,"), "{", "{}", "[]", "{\"lat\":91,\"lon\":0}",
        "{\"lat\":1,\"lon\":2,\"time\":\"noon\"}", "north", "1", String(repeating: "1", count: 9_000),
    ])
    func refused(_ line: String) {
        let (fixes, notices) = Self.read(line)
        #expect(fixes.isEmpty && notices.contains("is skipped"))
    }

    @Test func gpsd() throws {
        #expect(
            try Self.read(
                #"{"class":"VERSION","release":"3.22"}"#,
                #"{"class":"TPV","mode":1,"time":"2026-03-01T09:30:00.000Z"}"#,
                #"{"class":"TPV","device":"/dev/ttyS0","mode":3,"time":"2026-03-01T09:30:01.000Z","lat":-33.8568,"lon":151.2153,"alt":3.2}"#,
                #"{"rev":7,"at":"2026-03-01T09:30:02.000Z","lat":-33.8,"lng":151.2}"#
            ).fixes == [
                Self.fix(-33.8568, 151.2153, "2026-03-01T09:30:01Z"), Self.fix(-33.8, 151.2, "2026-03-01T09:30:02Z"),
            ])
    }

    @Test func typed() throws {
        #expect(
            try Self.read("-33.8568,151.2153", "geo:48.2,16.37", "33°51'S 151°12'E").fixes == [
                Self.fix(-33.8568, 151.2153), Self.fix(48.2, 16.37), Self.fix(-33.85, 151.2),
            ])
    }

    /// Nothing that a line can hold ends the program.
    @Test func anything() throws {
        var random = SplitMix64(seed: 11)
        var reader = PositionLines()
        var (fixes, refused) = (0, 0)
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
            do {
                for fix in try reader.read(mended) {
                    fixes += 1
                    #expect(-90...90 ~= fix.place.latitude && -180...180 ~= fix.place.longitude, "\(mended)")
                }
            } catch {
                refused += 1
            }
        }
        #expect(fixes > 1_000 && refused > 1_000, "\(fixes) fixes, \(refused) refused")
    }
}
