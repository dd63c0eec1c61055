// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest

/// The whole table, with what somebody needs to make it again.
struct SpeedTable: Codable {
    /// RFC 3339, when it was begun.
    var at: String
    var command: String
    var machine: MachineInfo
    var rounds: Int
    var landmarks: Int
    /// Sizes and times are too small for its figures to mean anything.
    var isSmokeTest: Bool
    var seconds: Double
    var lines: [TableLine]

    enum CodingKeys: String, CodingKey {
        case at, command, machine, rounds, landmarks
        case isSmokeTest = "smoke_test"
        case seconds, lines
    }

    /// JSON on one line, the members in the order of their names.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}
