// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import TestSupport
import TestTurns
import Testing

@testable import StorageRules

@Suite(
    "The main file corrupted", .enabled(if: FaultRuns.isAsked, Comment(rawValue: FaultRuns.how)), .inTurn)
struct CorruptionTests {
    private static func database() throws -> Data {
        let folder = try Folder()
        var scribe = try Scribe(folder.path)
        for _ in 0..<400 { try scribe.writeNext() }
        scribe.engine.close()
        return try Data(contentsOf: URL(fileURLWithPath: folder.path + "/waymark.sqlite"))
    }

    @Test("4 the header or whole pages overwritten: storage refuses to start with one sentence and exit status 1")
    func row4Refused() async throws {
        let sound = try Self.database()
        for offset in [0, 16, 100, 4_096, 8_192] {
            try await withStage { stage in
                var bytes = sound
                let length = offset < 100 ? 4 : 4_000
                for index in offset..<(offset + length) { bytes[index] ^= 0xa5 }
                let directory = stage.folder.path + "/data"
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                try bytes.write(to: URL(fileURLWithPath: stage.cluster.database))
                try stage.cluster.startStorage()
                #expect(stage.cluster.storage?.wait() == 1, "at \(offset)")
                let said = stage.log("storage").split(separator: "\n")
                #expect(said.count == 1, "at \(offset): \(said)")
                let isNamed = said.first.map { $0.contains("damaged") || $0.contains("not a database of Waymark") }
                #expect(isNamed == true, "at \(offset): \(said)")
                // The damaged file must be left unchanged.
                #expect(try Data(contentsOf: URL(fileURLWithPath: stage.cluster.database)) == bytes)
            }
        }
    }

    /// SQLite keeps no checksums of pages: quick_check detects broken structure, but not a changed letter in a text.
    @Test("4 bits flipped anywhere: refused at the start, read without a gap, or a named error; never a crash")
    func row4Flipped() async throws {
        let sound = try Self.database()
        var counts: [String: Int] = [:]
        for seed in 0..<(FaultRuns.isWhole ? 1_000 : 100) {
            var random = SplitMix64(seed: UInt64(seed))
            var bytes = sound
            for _ in 0..<(1 << (seed % 5)) { bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(seed % 8) }
            let folder = try Folder()
            try bytes.write(to: URL(fileURLWithPath: folder.path + "/waymark.sqlite"))
            counts[try await Self.outcome(folder.path, "seed \(seed)"), default: 0] += 1
        }
        print("row 4: \(counts)")
        #expect(counts["refused", default: 0] > 0)
    }

    private static func outcome(_ directory: String, _ what: Comment) async throws -> String {
        let scribe: Scribe
        do {
            scribe = try Scribe(directory)
        } catch let error as EngineError {
            switch error {
            case .corrupted, .foreignFile, .newerSchema, .noUpgradeBackup: return "refused"
            default:
                Issue.record("\(what): \(error)")
                return "otherwise"
            }
        }
        defer { scribe.engine.close() }
        let head = scribe.engine.position.rev
        do {
            let page = try await scribe.engine.reader.changes(since: 0, limit: .max, maxBytes: .max)
            // Without a gap, even if a text has changed.
            #expect(page.through == head && page.changes.count == Int(head), what)
            return "read"
        } catch EngineError.corrupted {
            return "an error when read"
        }
    }
}
