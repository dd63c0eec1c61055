// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import LoadTest

@Suite("Profiles and recordings", .inShortTurn)
struct LoadProfileTests {
    /// Steps, ramps in both directions, one to 0, and a pause.
    private static let text = "1s@100, 1s@100..1k, 500ms@0, 1s@1k..0, 1s@50"
    /// The same parts: their ends in seconds, and their rates at the begin and at the end.
    private static let parts: [(end: Double, from: Double, to: Double)] = [
        (1, 100, 100), (2, 100, 1_000), (2.5, 0, 0), (3.5, 1_000, 0), (4.5, 50, 50),
    ]

    private static func rate(at time: Double) -> Double {
        var begin = 0.0
        for part in parts {
            if time < part.end { return part.from + (part.to - part.from) * (time - begin) / (part.end - begin) }
            begin = part.end
        }
        return 0
    }

    /// The times in nanoseconds of a schedule, up to the end of its pace.
    private static func times(_ schedule: Schedule) -> [UInt64] { Array(schedule.prefix { $0 < Schedule.never }) }

    @Test("steps and ramps are read as they are written")
    func read() throws {
        let profile = try LoadProfile("30s@1k, 2m@5k,500ms @ 1k..20k")
        #expect(profile.parts.map(\.seconds) == [30, 120, 0.5])
        #expect(profile.parts.map(\.from) == [1_000, 5_000, 1_000])
        #expect(profile.parts.map(\.to) == [1_000, 5_000, 20_000])
        #expect(profile.parts.map(\.begin) == [0, 30, 150] && profile.seconds == 150.5)
        #expect(profile.parts.last?.label == "500 ms at 1000/s to 20.0 k/s")
        #expect(profile.operations == 30_000 + 600_000 + 5_250)
        #expect([0, 29.9, 30, 149, 150, 999].map(profile.part) == [0, 0, 1, 1, 2, 2])
        let data = try JSONEncoder().encode(profile)
        #expect(try JSONDecoder().decode(LoadProfile.self, from: data) == profile)
    }

    @Test(
        "what is no profile is refused",
        arguments: [
            "", ",", "30s", "@", "30s@", "@1k", "30s@1k..", "30s@..1k", "30s@-1", "30@1k", "30s@1k@2k", "1s@nan",
            "1s@inf", "1s@1e400", "nans@1k", "0s@1k", "-1s@1k", "25h@1", "13h@1,13h@1", "10s@20M", "1s@0", "1s@0.5",
            "1s@1k..2k..3k", "1s@1k,", "１s@1k", "1s@1k\u{0}", String(repeating: "1s@1k,", count: 100_000),
            Array(repeating: "1s@1k", count: 65).joined(separator: ","),
        ])
    func refused(text: String) {
        #expect(throws: LoadInputError.self) { try LoadProfile(text) }
    }

    @Test("a forged report's profile is refused too")
    func forged() {
        for text in [
            #"{"parts":[],"share":1}"#, #"{"parts":[{"seconds":1e300,"from":1,"to":1}],"share":1}"#,
            #"{"parts":[{"seconds":1,"from":-1,"to":1}],"share":1}"#,
            #"{"parts":[{"seconds":1,"from":9,"to":9}],"share":0}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(LoadProfile.self, from: Data(text.utf8)) }
        }
    }

    @Test("the schedule is the inverse of the integral of the rate")
    func integral() throws {
        let profile = try LoadProfile(Self.text)
        let times = Self.times(Schedule(.profile(profile), arrival: .constant, seed: 1))
        #expect(times.count == 1_200 && times.first == 0 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // The integral, step by step.
        let step = 1e-5
        var (time, sum) = (0.0, 0.0)
        for (number, intended) in times.enumerated() {
            let intended = Double(intended) / 1e9
            while time + step < intended {
                sum += Self.rate(at: time + step / 2) * step
                time += step
            }
            let reached = sum + Self.rate(at: (time + intended) / 2) * (intended - time)
            #expect(abs(reached - Double(number)) < 0.05, "\(number) at \(intended)")
            #expect(abs(profile.operations(until: intended) - Double(number)) < 1e-3)
        }
        // The pause has none, and the part after it begins with one.
        #expect(!times.contains { (2_000_000_001..<2_500_000_000).contains($0) } && times.contains(2_500_000_000))
    }

    @Test("at random, each part has as many as its integral says, again for the same seed")
    func random() throws {
        let pace = Pace.profile(try LoadProfile("100s@50, 100s@50..500, 100s@500..0"))
        let times = Self.times(Schedule(pace, arrival: .poisson, seed: 3))
        #expect(times == Self.times(Schedule(pace, arrival: .poisson, seed: 3)))
        for (begin, expected) in [(0.0, 5_000.0), (100, 27_500), (200, 25_000)] {
            let count = times.count { (begin..<begin + 100).contains(Double($0) / 1e9) }
            #expect(abs(Double(count) - expected) < 4 * expected.squareRoot(), "\(begin): \(count)")
        }
    }

    @Test("the warm-up has the first rate, and the pace begins after it")
    func warmUp() throws {
        for (text, warm) in [("1s@10..20", 5), ("1s@0..10", 0), ("1s@30", 15)] {
            let pace = Pace.profile(try LoadProfile(text))
            let times = Self.times(Schedule(pace, arrival: .constant, warmUp: 0.5, seed: 1))
            #expect(times.count { $0 < 500_000_000 } == warm && times[warm] == 500_000_000, "\(text): \(times)")
            #expect(times.dropFirst(warm).count == Int(pace.operations(until: 1).rounded()))
        }
    }

    private static let recording = "time_s,bytes\r\n1700000000.5,64\r\n1700000000.75,128\n1700000002,0\n\n1700000002,9"

    @Test("a recording is sent again at its times")
    func replay() throws {
        let recording = try LoadRecording(csv: Data(Self.recording.utf8))
        #expect(recording.times == [0, 250_000_000, 1_500_000_000, 1_500_000_000])
        #expect(recording.sizes == [64, 128, 0, 9] && recording.bytes == 201 && recording.seconds == 2)
        let schedule = Schedule(.recording(recording), arrival: .constant, seed: 1)
        #expect(Self.times(schedule) == recording.times)
        #expect(Pace.recording(recording).operations(until: 1.4) == 2)
        // At two a second, there are three in this warm-up.
        #expect(recording.sizes(warmUp: 1.5) == [128, 0, 9, 64] && recording.sizes(warmUp: 0) == recording.sizes)
        let lines = zip(recording.times, recording.sizes).map { LoadRecording.line($0, bytes: $1) }
        let moment = try LoadRecording(csv: Data("0,1\n0.000000001,1\n".utf8))
        #expect(moment.sizes(warmUp: 86_400).count == 2 && Pace.recording(moment).firstRate <= 10_000_000)
        let again = try LoadRecording(csv: Data((LoadRecording.header + lines.joined()).utf8))
        #expect(again == recording && lines[1] == "0.250000000,128\n")
        let data = try JSONEncoder().encode(recording)
        let kept = try JSONDecoder().decode(LoadRecording.self, from: data)
        #expect(kept.times.isEmpty && kept.count == 4 && kept.seconds == 2 && data.count < 100)
    }

    @Test(
        "what is no recording is refused",
        arguments: [
            "", "time,bytes\n", "1", "1,", "1,2,3", "1,x", "1,-1", "1,99999999999999999999", "1,16777217", "2,1\n1,1",
            "-1,5\n", "nan,5\nnan,5", "inf,5", "1e300,5", "1,5\nhello,5", "0,1\n86401,1",
            "1,5" + String(repeating: " ", count: 1_000_000), "\u{0}\u{0},1\n\u{0},1",
        ])
    func refusedRecording(text: String) {
        #expect(throws: LoadInputError.self) { try LoadRecording(csv: Data(text.utf8)) }
    }

    @Test("what several generators send adds up to the whole", arguments: [1, 2, 3, 7])
    func divided(count: Int) throws {
        let recording = try LoadRecording(csv: Data(Self.recording.utf8))
        for pace in [.rate(500), .profile(try LoadProfile(Self.text)), .recording(recording)] as [Pace] {
            let shape = LoadShape(loop: .open(pace, arrival: .constant), clients: 9, end: .count(100), warmUp: 0)
            let parts = (0..<count).map { shape.divided($0, of: count) }
            for time in [0.5, 1.7, 2.2, 4.5] {
                let sum = parts.reduce(0) { $0 + ($1.pace?.operations(until: time) ?? 0) }
                #expect(abs(sum - pace.operations(until: time)) < 1e-6, "\(pace) \(time)")
            }
            #expect(parts.reduce(0) { $0 + $1.clients } == 9 && Set(parts.map(\.seed)).count == count)
            let ends = parts.map { if case .count(let part) = $0.end { part } else { 0 } }
            #expect(ends.reduce(0, +) == 100)
        }
        let all = (0..<count).flatMap { Pace.recording(recording).divided($0, of: count).times }
        #expect(all.sorted() == recording.times)
        // At even intervals, one generator sends between the others, in the warm-up and after it.
        for pace in [.rate(500), .profile(try LoadProfile("1s@100..1k"))] as [Pace] {
            let shape = LoadShape(loop: .open(pace, arrival: .constant), warmUp: 0.25)
            let parts = (0..<count).compactMap { Schedule(shape.divided($0, of: count))?.prefix(100) }
            let times = Array(try #require(Schedule(shape)).prefix(100))
            for (one, other) in zip(times, parts.joined().sorted()) { #expect(abs(Double(one) - Double(other)) < 100) }
        }
        let closed = LoadShape(loop: .closed(window: 4), clients: 2).divided(count - 1, of: count)
        #expect(closed.loop == .closed(window: 4) && closed.clients == max(1, 2 / count))
    }
}

extension Pace {
    fileprivate var times: [UInt64] { if case .recording(let recording) = self { recording.times } else { [] } }
}
