// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import StorageService

@Suite("The probe of the disk", .inTurn)
struct DiskProbeTests {
    @Test("a directory that takes a file has no problem, and keeps nothing of it")
    func sound() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let probe = DiskProbe(path: folder.path)
        let begun = ContinuousClock.now
        // All who ask at once are answered by one attempt.
        let answers = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { await probe.problem() } }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(answers.count == 50)
        // What takes a loaded machine longer is told as a problem of the disk.
        #expect(answers.allSatisfy { $0 == nil } || ContinuousClock.now - begun >= .milliseconds(500))
        var isSound = false
        for _ in 0..<60 where !isSound { isSound = await probe.problem() == nil }
        #expect(isSound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        // Kept for a moment: the next one to ask does not touch the disk.
        try FileManager.default.removeItem(at: folder)
        let second = await probe.problem()
        // Unless this machine stood still for as long as the answer is kept.
        #expect(second == nil || ContinuousClock.now - begun > .seconds(2))
        #expect(await DiskProbe(path: folder.path).problem()?.contains("No such file") == true)
    }
}
