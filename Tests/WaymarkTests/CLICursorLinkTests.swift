// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("tail's cursor file in a folder of others", .computing)
struct CLICursorLinkTests {
    @Test("links that somebody has put there are not followed", arguments: ["seen", "seen.new"])
    func links(name: String) throws {
        var template = Array("/tmp/wm-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = folder + "/other"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: other))
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: other)
        let file = CursorFile(path: folder + "/seen")
        let position = Position(epoch: UUIDv7(high: 1, low: 2), rev: 7)
        try file.advance(to: position)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
        #expect(try file.read() == position)
    }
}
