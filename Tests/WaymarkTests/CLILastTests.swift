// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("The last result", .inShortTurn)
struct CLILastTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/waymark-\(UUID())"
    private var environment: [String: String] {
        ["XDG_STATE_HOME": folder, "WAYMARK_CONNECT": "ipc:///nonexistent/waymark.ipc"]
    }

    private func kept() throws -> KeptResult {
        var far = try exampleLandmark()
        far.id = UUIDv7(high: far.id.high, low: far.id.low + 1)
        return KeptResult(
            at: 1_772_357_400_000, question: "near -33.85,151.2 --kind pool", isMeasured: true,
            hits: [
                Hit(landmark: try exampleLandmark(), distance: 12.5, bearing: 90),
                Hit(landmark: far, distance: 0, bearing: nil),
            ])
    }

    @Test func isPrintedWithItsTime() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let none = await tool("last", environment: environment)
        #expect(none.status == 1 && none.err.contains("No result is kept yet"))

        try kept().write(environment)
        let again = try #require(KeptResult.read(environment))
        #expect(try again.hits == kept().hits && again.isMeasured && again.question == kept().question)
        let permissions = try FileManager.default.attributesOfItem(atPath: folder + "/waymark/last")
        #expect(permissions[.posixPermissions] as? Int == 0o600)

        let text = await tool("last", environment: environment)
        #expect(text.status == 0 && text.out.contains("Icebergs") && text.out.contains("12.500 m"))
        #expect(text.err.contains("Found at 2026-") && text.err.contains("waymark near -33.85,151.2 --kind pool"))
        let json = await tool("last", "-o", "json", environment: environment)
        #expect(json.out.contains(#""distance_m":12.5"#) && json.err.contains(#""at":"2026-03-01T09:30:00.000Z""#))
    }

    @Test func isOfferedWhenNothingAnswers() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = await tool("near", "-33.85,151.2", environment: environment)
        #expect(before.status == 3 && !before.err.contains("waymark last"))
        try kept().write(environment)
        for words in [["near", "-33.85,151.2"], ["list"], ["search", "pool"]] {
            let (out, err) = (MemorySink(), MemorySink())
            let status = await WaymarkTool.run(words, in: Surroundings(environment: environment, out: out, err: err))
            #expect(status == 3 && err.text.contains("\"waymark last\" prints what was found at 2026-"))
        }
        let other = await tool("status", environment: environment)
        #expect(other.status == 3 && !other.err.contains("waymark last"))
    }

    @Test func damageIsNoResult() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try kept().write(environment)
        let path = folder + "/waymark/last"
        let whole = try #require(FileManager.default.contents(atPath: path))
        for damaged in [
            Data(), whole.prefix(5), whole.prefix(whole.count - 3), Data("{}\n".utf8), Data([0xff, 0x0a, 0xff]),
        ] {
            try Data(damaged).write(to: URL(fileURLWithPath: path))
            #expect(KeptResult.read(environment) == nil)
        }
        // Without a folder nothing is kept, and nothing fails.
        try kept().write([:])
        #expect(KeptResult.read([:]) == nil)
    }
}
