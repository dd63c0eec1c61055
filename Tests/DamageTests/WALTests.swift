// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Geodesy
import Landmarks
import TestSupport
import Testing
import WaymarkProtocol

@testable import StorageService

@Suite("The write-ahead log damaged", .timeLimit(.minutes(5)))
struct WALTests {
    private enum Damage: CaseIterable {
        case cut, bit, zeros, noise

        func apply(to bytes: inout Data, at offset: Int, _ random: inout SplitMix64) {
            switch self {
            case .cut: bytes = bytes.prefix(offset)
            case .bit: bytes[offset] ^= 1 << UInt8(random.next() % 8)
            case .zeros: for index in offset..<bytes.count { bytes[index] = 0 }
            case .noise:
                for index in offset..<min(bytes.count, offset + 700) { bytes[index] ^= UInt8(1 + random.next() % 255) }
            }
        }
    }

    @Test("3 the WAL cut or bit-flipped anywhere in its last frames: a whole commit, and followers beyond it are told")
    func row3() async throws {
        let folder = try Folder()
        var scribe = try Scribe(folder.path + "/data")
        let file = folder.path + "/data/waymark.sqlite"
        func walBytes() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: file + "-wal")).count }
        // Where the frames of each revision end.
        var ends = [try walBytes()]
        for _ in 0..<150 {
            try scribe.writeNext()
            ends.append(try walBytes())
        }
        let told = scribe.engine.position
        #expect(told.rev == 150)
        // As `kill -9` leaves them: nothing was taken into the file.
        let wal = try Data(contentsOf: URL(fileURLWithPath: file + "-wal"))
        let main = try Data(contentsOf: URL(fileURLWithPath: file))
        var recovered: Set<UInt64> = []
        let seeds = Stage.isWhole ? 2_000 : 160
        for seed in 0..<seeds {
            var random = SplitMix64(seed: UInt64(seed))
            let offset = ends[20] + Int(random.next() % UInt64(wal.count - ends[20]))
            let damage = Damage.allCases[seed % Damage.allCases.count]
            var damaged = wal
            // What is cut off or made anew may be what was there already: then nothing is damaged.
            damage.apply(to: &damaged, at: offset, &random)
            let first = zip(damaged, wal).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? damaged.count
            let whole = UInt64(ends.lastIndex { $0 <= first } ?? 0)
            recovered.insert(whole)
            let copy = try Folder()
            let path = copy.path + "/waymark.sqlite"
            try main.write(to: URL(fileURLWithPath: path))
            try damaged.write(to: URL(fileURLWithPath: path + "-wal"))
            try await check(copy.path, whole: whole, told: told, "seed \(seed): \(damage) at \(offset)")
        }
        scribe.engine.close()
        print("row 3: \(seeds) seeds, \(recovered.count) different revisions recovered to")
        #expect(recovered.count > 20)
    }

    private func check(_ directory: String, whole: UInt64, told: Position, _ what: Comment) async throws {
        var scribe = try Scribe(directory)
        defer { scribe.engine.close() }
        let reader = scribe.engine.reader
        #expect(scribe.engine.position.rev == whole, what)
        #expect(scribe.engine.position.epoch == told.epoch, what)
        let page = try await reader.changes(since: 0, limit: .max, maxBytes: .max)
        #expect(page.changes.count == Int(whole) && page.head == whole, what)
        // Who has seen as much goes on; who has seen more is told, also when those revisions exist again.
        _ = try await reader.changes(since: whole, run: told.run, matching: .everything, limit: 1, maxBytes: 1)
        for round in 0..<3 {
            for rev in [whole + 1, told.rev] where rev > whole {
                await #expect(throws: EngineError.otherHistory, what) {
                    try await reader.changes(since: rev, run: told.run, matching: .everything, limit: 1, maxBytes: 1)
                }
            }
            await #expect(throws: EngineError.futureRevision(floor: 1, head: whole + UInt64(round)), what) {
                try await reader.changes(
                    since: whole + UInt64(round) + 1, run: nil, matching: .everything, limit: 1, maxBytes: 1)
            }
            try scribe.apply(
                .add(LandmarkDraft(name: "new \(round)", coordinate: .init(latitude: 0, longitude: 0)), note: nil))
        }
        scribe.engine.close()
        let truth = try Truth(database: directory + "/waymark.sqlite")
        #expect(truth.head == whole + 3, what)
        #expect(Validator.check(History(), truth: truth).violations.map(\.description) == [], what)
    }
}
