// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import waymark_measure

@Suite("The calibration of a run", .inShortTurn)
struct CalibrationTests {
    private static let calm = Calibration(
        integerStep: 1.03, memoryStep: 95, flushP50: 210, flushP99: 800, roundTripP50: 21)

    private func table(_ calibration: Calibrations?) -> SpeedTable {
        SpeedTable(
            at: "2026-11-23T15:00:00Z", command: "waymark-measure table", machine: .here(versions: [:]), rounds: 3,
            landmarks: 1_000, isSmokeTest: false, seconds: 12, calibration: calibration, lines: [])
    }

    @Test("The head names each figure at the beginning and at the end")
    func head() {
        var after = Self.calm
        after.memoryStep = 100
        let text = table(Calibrations(before: Self.calm, after: after)).markdown()
        #expect(text.contains("a step of integer work 1.03 and 1.03 ns"))
        #expect(text.contains("a walk through 64 MiB 95.0 and 100 ns"))
        #expect(text.contains("a flush of 4 KiB, p50 210 and 210 µs; its p99 800 and 800 µs"))
        #expect(text.contains("loopback TCP, p50 21.0 and 21.0 µs."))
        #expect(!text.contains("changed"))
        #expect(table(nil).markdown().contains("was not measured"))
    }

    @Test("What changed by more than a fifth, in either direction, is said")
    func change() {
        var after = Self.calm
        (after.integerStep, after.roundTripP50, after.flushP99) = (1.3, 17, 5_000)
        let calibrations = Calibrations(before: Self.calm, after: after)
        #expect(calibrations.changed == ["a step of integer work", "a round trip over loopback TCP, p50"])
        #expect(calibrations.text.contains("**The machine changed during the run"))
        after = Self.calm
        after.flushP50 = 210 * 1.19
        #expect(Calibrations(before: Self.calm, after: after).changed.isEmpty)
    }

    @Test("As JSON all figures have names with their units")
    func json() throws {
        let calibrations = Calibrations(before: Self.calm, after: Self.calm)
        let text = try table(calibrations).json()
        #expect(
            text.contains(
                #""before":{"flush_p50_us":210,"flush_p99_us":800,"integer_step_ns":1.03,"memory_step_ns":95,"#
                    + #""round_trip_p50_us":21}"#))
        let again = try JSONDecoder().decode(SpeedTable.self, from: Data(text.utf8))
        #expect(again.calibration == calibrations)
    }

    @Test("It is measured here, and leaves no file")
    func here() throws {
        let folder = NSTemporaryDirectory() + "calibration-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let told = try Calibration.here(folder: folder, seconds: 0.01)
        for figure in [told.integerStep, told.memoryStep, told.flushP50, told.flushP99, told.roundTripP50] {
            #expect(figure > 0 && figure.isFinite)
        }
        #expect(told.flushP99 >= told.flushP50)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(throws: CalibrationError.disk) { try Calibration.here(folder: folder + "/none", seconds: 0.01) }
    }
}
