// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LoadTest
import TestTurns
import Testing

@testable import waymark_measure

@Suite("Worlds and clients of the table", .inShortTurn)
struct WorldsTests {
    @Test("A world of given places has each of them once, in requests of a thousand")
    func places() throws {
        let places = try (0..<2_500).map { try Coordinate(latitude: Double($0) / 100, longitude: 7) }
        let world = World(places: places)
        #expect(world.requests.count == 3)
        #expect(try world.points() == places)
    }

    @Test("A command's time is that from its start to its end, in turns, and one that fails is no time")
    func commands() throws {
        let folder = NSTemporaryDirectory()
        let log = folder + "turns-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let both = ["a", "b"].map { ["/bin/sh", "-c", "printf \($0) >> \(log)"] }
        let samples = try CommandTimes.measure(both, times: 3, folder: folder) {}
        #expect(samples.map(\.values.count) == [3, 3] && samples.allSatisfy { $0.percentile(0.5) > 0 })
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "ababab")
        let failed = #expect(throws: TableError.self) {
            _ = try CommandTimes.measure([["/bin/true"], ["/bin/false"]], times: 3, folder: folder) {}
        }
        #expect(failed?.description == "/bin/false does not start: its status is 1")
        let absent = #expect(throws: TableError.self) {
            _ = try CommandTimes.measure([["/nowhere/true"]], times: 1, folder: folder) {}
        }
        #expect(absent?.description == "There is no /nowhere/true on this machine.")
        #expect(throws: CancellationError.self) {
            _ = try CommandTimes.measure([["/bin/true"]], times: 1, folder: folder) { throw CancellationError() }
        }
    }
}
