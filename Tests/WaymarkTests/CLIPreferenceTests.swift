// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("Preferences", .inShortTurn)
struct CLIPreferenceTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/waymark-\(UUID())"
    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder] }

    @Test func areSetPrintedAndRemoved() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let set = await tool("preferences", "set", "units", "mi", environment: environment)
        #expect(set.status == 0 && set.out == "units mi, kept in \(folder)/waymark/config.json\n")
        #expect(await tool("preferences", "set", "kinds", "Train Station,cafe", environment: environment).status == 0)
        #expect(await tool("preferences", "set", "limit", "7", environment: environment).status == 0)
        #expect(await tool("preferences", "set", "rank", "prominence", environment: environment).status == 0)
        let alone = await tool("near", "1,1", environment: environment)
        #expect(alone.status == 2 && alone.err.contains("waymark preferences set radius"))
        #expect(await tool("preferences", "set", "radius", "5km", environment: environment).status == 0)
        #expect(await tool("preferences", "set", "name", "ann", environment: environment).status == 0)
        #expect(await tool("user", environment: environment).out == "ann\n")
        let all = await tool("preferences", "-o", "json", environment: environment)
        #expect(
            all.out
                == #"{"name":"ann","units":"mi","limit":"7","rank":"prominence","radius":"5km","kinds":"train_station,cafe"}"#
                + "\n")
        #expect(await tool("preferences", environment: environment).out.contains("train_station,cafe"))
        let unset = await tool("preferences", "unset", "units", environment: environment)
        #expect(unset.out == "units is not set any more: m, and km from 10 km on\n")
        #expect(await tool("preferences", "-o", "json", environment: environment).out.contains(#""units":null"#))
    }

    @Test func comeFirst() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = await tool("kinds", environment: environment).out.split(separator: "\n")
        #expect(before.count == 97 && !before[1].hasPrefix("zoo"))
        _ = await tool("preferences", "set", "kinds", "zoo", environment: environment)
        let after = await tool("kinds", environment: environment).out.split(separator: "\n")
        #expect(after.count == 97 && after[1].hasPrefix("zoo"))

        _ = await tool("preferences", "set", "units", "mi", environment: environment)
        let surroundings = Surroundings(environment: environment, out: MemorySink(), err: MemorySink())
        #expect(try UnitOptions.parse([]).unit(surroundings) == .mi)
        #expect(try UnitOptions.parse(["--units", "m"]).unit(surroundings) == .m)
    }

    @Test(arguments: [
        ("units", "parsec"), ("limit", "0"), ("limit", "many"), ("rank", "fame"), ("radius", "50km"),
        ("kinds", ","), ("name", ""), ("colour", "x"),
    ])
    func wrongValuesAreRefused(name: String, value: String) async {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let refused = await tool("preferences", "set", name, value, environment: environment)
        #expect(refused.status != 0 && !refused.err.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func aBrokenFileIsNamed() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/waymark", withIntermediateDirectories: true)
        let path = folder + "/waymark/config.json"
        try Data(#"{"units":"parsec"}"#.utf8).write(to: URL(fileURLWithPath: path))
        let shown = await tool("preferences", environment: environment)
        #expect(shown.status == 1 && shown.err.contains(path) && shown.err.contains("units"))
        // A question is not refused for it.
        #expect(Preferences(environment: environment).units == nil)
    }
}
