// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("Who writes", .inShortTurn)
struct CLIPreferencesTests {
    @Test func aNameIsKept() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = ["XDG_CONFIG_HOME": folder]
        #expect(await tool("user", "show", environment: environment).status == 1)
        #expect(await tool("user", "-o", "json", environment: environment).out == "{\"user\":null}\n")

        let set = await tool("user", "set", " Ann \"Å\" ", environment: environment)
        #expect(set.status == 0)
        #expect(set.out == "user Ann \"Å\", kept in \(folder)/waymark/config.json\n")
        #expect(await tool("user", environment: environment).out == "Ann \"Å\"\n")
        let permissions = try FileManager.default.attributesOfItem(atPath: folder + "/waymark/config.json")
        #expect(permissions[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/waymark") == ["config.json"])

        #expect(await tool("user", "set", "", environment: environment).status == 1)
        #expect(await tool("user", environment: environment).out == "Ann \"Å\"\n")
        let other = await tool("user", environment: environment.merging(["WAYMARK_USER": "ben"]) { $1 })
        #expect(other.out == "ben\n")
    }

    @Test func otherMembersStay() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/waymark", withIntermediateDirectories: true)
        let path = folder + "/waymark/config.json"
        try Data("{\"later\": [1]}".utf8).write(to: URL(fileURLWithPath: path))
        let preferences = Preferences(environment: ["XDG_CONFIG_HOME": folder])
        #expect(try preferences.value(.name) == nil)
        try preferences.set(.name, to: "ann")
        #expect(try preferences.value(.name) == "ann")
        let members = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        #expect((members as? [String: Any])?["later"] as? [Int] == [1])

        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        let refused = [
            #expect(throws: Failure.self) { try preferences.value(.name) },
            #expect(throws: Failure.self) { try preferences.set(.name, to: "ben") },
        ]
        #expect(refused.allSatisfy { $0?.message.contains("is not JSON of preferences") == true })
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{")
    }

    @Test func whereItIsKept() {
        #expect(Preferences(environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]).path == "/x/waymark/config.json")
        #expect(
            Preferences(environment: ["XDG_CONFIG_HOME": "x", "HOME": "/h"]).path == "/h/.config/waymark/config.json")
        #expect(Preferences(environment: [:]).path == nil)
    }
}
