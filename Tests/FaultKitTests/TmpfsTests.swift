// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestTurns
import Testing

@Suite("A small disk", .inShortTurn, .enabled(if: Tmpfs.isPossible))
struct TmpfsTests {
    @Test("has room at once when it is emptied, although a program that began meanwhile holds the ballast open")
    func roomIsFree() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/waymark-tmpfs-\(UUID().uuidString)"
        let disk = try Tmpfs(at: folder, megabytes: 1)
        defer {
            disk.close()
            try? FileManager.default.removeItem(atPath: folder)
        }
        try disk.fill(leaving: 0)
        let held = open("\(folder)/ballast", O_RDONLY | O_CLOEXEC)
        defer { close(held) }
        try disk.empty()
        #expect(FileManager.default.createFile(atPath: "\(folder)/new", contents: Data(count: 500_000)))
    }
}
