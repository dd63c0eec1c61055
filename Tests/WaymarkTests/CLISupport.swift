// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import ZeroMQ

@testable import WaymarkCLI

/// Keeps the written bytes, call by call.
final class MemorySink: ByteSink {
    private let written = Locked<[[UInt8]]>([])

    func write(_ bytes: [UInt8]) throws(SinkError) {
        written.withLock { $0.append(bytes) }
    }

    var writes: [String] { written.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) } }
    var text: String { writes.joined() }
}

/// The result of one call of the program.
struct ToolResult {
    var status: Int32
    var out: String
    var err: String
}

/// Runs the program in this process, without a terminal and with only the variables in `environment`.
func tool(_ arguments: String..., environment: [String: String] = [:]) async -> ToolResult {
    let (out, err) = (MemorySink(), MemorySink())
    let surroundings = Surroundings(environment: environment, out: out, err: err)
    let status = await WaymarkTool.run(arguments, in: surroundings)
    return ToolResult(status: status, out: out.text, err: err.text)
}

/// A stdin with these lines.
func stdinLines(_ lines: [String]) -> @Sendable () -> String? {
    let rest = Locked(lines[...])
    return { rest.withLock { $0.popFirst() } }
}

/// A landmark with a value in every field.
func exampleLandmark() throws -> Landmark {
    Landmark(
        id: UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_8a41_c7e5), name: "Bondi \"Icebergs\"",
        coordinate: try Coordinate(latitude: -33.8951, longitude: 151.2745),
        attributes: Attributes(kind: "pool", link: "https://example.com", rating: 4.5), user: "ann",
        source: SourceKey(name: "pools", key: "7"),
        notes: [
            Note(
                id: UUIDv7(high: 0x0193_3c6e_7f3a_7c22, low: 0x9b0e_2f6d_8a41_c7e6), text: "Cold.\nSalt.", user: "ben",
                at: 1_772_357_400_000)
        ],
        version: 3, rev: 42, created: 1_772_357_400_000, updated: 1_772_357_400_123)
}
