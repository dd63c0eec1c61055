// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("A backup gets its name only when it is complete", .inShortTurn)
struct CLIBackupDraftTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func onlyThen() throws {
        try withFolder { folder in
            let bytes = Data("one two".utf8)
            let digest = Data(SHA256.hash(bytes.bytes))
            var draft: BackupDraft? = try BackupDraft(folder + "/x", replaces: false)
            try draft?.append(bytes)
            let draftName = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            #expect(draftName.hasPrefix("x.") && draftName.hasSuffix(".part"))
            // Too short, and then with other bytes.
            let damaged = Failure("damaged", "The copy was damaged on the way: try again.")
            #expect(throws: damaged) { try draft?.finish(bytes: 8, sha256: digest) }
            draft = nil
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            draft = try BackupDraft(folder + "/x", replaces: false)
            try draft?.append(Data("one tWo".utf8))
            #expect(throws: damaged) { try draft?.finish(bytes: 7, sha256: digest) }
            draft = nil
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])

            draft = try BackupDraft(folder + "/x", replaces: false)
            try draft?.append(bytes.prefix(3))
            try draft?.append(bytes.dropFirst(3))
            try draft?.finish(bytes: 7, sha256: digest)
            draft = nil
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/x")) == bytes)
        }
    }

    @Test func twoAtOnceDoNotMeet() throws {
        try withFolder { folder in
            let one = try BackupDraft(folder + "/x", replaces: true)
            try one.append(Data("one".utf8))
            var other: BackupDraft? = try BackupDraft(folder + "/x", replaces: true)
            try other?.append(Data("other".utf8))
            other = nil
            try one.finish(bytes: 3, sha256: Data(SHA256.hash(Data("one".utf8).bytes)))
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/x")) == Data("one".utf8))
        }
    }

    @Test func aFileThatCameMeanwhileIsLeftAlone() throws {
        try withFolder { folder in
            let draft = try BackupDraft(folder + "/x", replaces: false)
            try Data("theirs".utf8).write(to: URL(fileURLWithPath: folder + "/x"))
            let taken = #expect(throws: Failure.self) {
                try draft.finish(bytes: 0, sha256: Data(SHA256.hash(Data().bytes)))
            }
            #expect(taken?.code == "exists")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/x")) == Data("theirs".utf8))
            let another = #expect(throws: Failure.self) { try BackupDraft(folder + "/x", replaces: false) }
            #expect(another?.code == "exists")
            let forced = try BackupDraft(folder + "/x", replaces: true)
            try forced.finish(bytes: 0, sha256: Data(SHA256.hash(Data().bytes)))
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/x")) == Data())
        }
    }
}
