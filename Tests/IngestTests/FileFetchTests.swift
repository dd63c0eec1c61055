// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import TestTurns
import Testing

@Suite(.inShortTurn)
struct FileFetchTests {
    private let fetcher = PatientFetcher(attempts: 3)

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ingest tests \(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test
    func readsAFileByURLAndByPath() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "a b.json")
            try Data("[]".utf8).write(to: file)
            for location in [file.path(percentEncoded: false), file.absoluteString, "file:\(file.path())"] {
                let result = try await fetcher.fetch(location)
                #expect(result.text == "[]")
            }
        }
    }

    @Test
    func knowsAFileThatHasNotChanged() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "a.json").path(percentEncoded: false)
            try Data("[]".utf8).write(to: URL(filePath: file))
            let validators = try #require(try await fetcher.fetch(file).body).validators
            let again = try await fetcher.fetch(file, validators: validators)
            #expect(again == .notModified)
            try Data("[1]".utf8).write(to: URL(filePath: file))
            let result = try await fetcher.fetch(file, validators: validators)
            #expect(result.text == "[1]")
        }
    }

    @Test
    func readsOnlyRegularFiles() async throws {
        try await withFolder { folder in
            let fifo = folder.appending(path: "fifo").path(percentEncoded: false)
            #expect(mkfifo(fifo, 0o600) == 0)
            for path in [fifo, folder.path(percentEncoded: false), "/dev/zero"] {
                let error = try await fetcher.failure(path)
                #expect(error?.reason == .notRegularFile)
                #expect(error?.description == "\(path): This is not a regular file: give the path of one.")
            }
        }
        #expect(fetcher.waits.isEmpty)
    }

    @Test
    func saysWhatIsWrongWithAFile() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "none.json").path(percentEncoded: false)
            let error = try await fetcher.failure(path)
            #expect(error?.description == "\(path): There is no such file.")
            try Data("[]".utf8).write(to: URL(filePath: path))
            let below = try await fetcher.failure(path + "/x")
            #expect(below?.description == "\(path)/x: The file cannot be read: Not a directory.")
        }
    }

    @Test
    func boundsTheSize() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "large.json").path(percentEncoded: false)
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            // A sparse file: 10 GiB that need no disk space.
            #expect(truncate(path, 10 << 30) == 0)
            let error = try await fetcher.failure(path)
            #expect(error?.reason == .tooLarge(limit: 64 << 20, announced: 10 << 30))
        }
        // Announces 0 bytes but has contents.
        let limits = FetchLimits(maxBytes: 4)
        let error = try await fetcher.failure("/proc/self/status", limits: limits)
        #expect(error?.reason == .tooLarge(limit: 4, announced: nil))
    }
}
