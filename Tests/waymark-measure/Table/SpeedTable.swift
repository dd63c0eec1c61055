// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest

/// The whole table, with the information needed to repeat it.
struct SpeedTable: Codable {
    /// The start time in RFC 3339.
    var at: String
    var command: String
    var machine: MachineInfo
    var rounds: Int
    var landmarks: Int
    /// Whether sizes and times were too small for meaningful figures.
    var isSmokeTest: Bool
    var seconds: Double
    /// Nil if the machine could not be measured.
    var calibration: Calibrations?
    var lines: [TableLine]

    enum CodingKeys: String, CodingKey {
        case at, command, machine, rounds, landmarks
        case isSmokeTest = "smoke_test"
        case seconds, calibration, lines
    }

    /// JSON on one line, with the members sorted by name.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}
