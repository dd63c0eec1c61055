// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestTurns
import Testing

@Suite("compact, backup and restore as processes", .inTurn)
struct ProcessUpkeepTests {
    @Test("compact prints the remaining revisions, as text and as JSON")
    func compact() async throws {
        try await withProcessPair { pair in
            #expect(
                try await ProcessCommandTests.text(pair.waymark("compact", "--yes")) == ["there are no changes yet"])
            for number in 0..<5 { _ = try await pair.waymark("add", "\(number)", "0,0") }
            let some = try await ProcessCommandTests.text(pair.waymark("compact", "--below", "3"))
            #expect(some == ["the log has revisions 3 to 5"])
            let all = try await ProcessCommandTests.json(pair.waymark("compact", "--yes", "-o", "json"))[0]
            #expect(all.keys == ["floor", "head"] && all.number("floor") == 5 && all.number("head") == 5)
            let beyond = try await pair.waymark("compact", "--below", "6")
            #expect(beyond.status == 6 && beyond.out.isEmpty)
            #expect(try await pair.waymark("compact", "--below", "0").status == 2)
            let status = try await ProcessCommandTests.text(pair.status())
            #expect(status.contains { $0.contains("5, kept from 5 on") })
        }
    }

    @Test("a backup, restored elsewhere and in place, is the state of its revision under another epoch")
    func backupAndRestore() async throws {
        try await withProcessPair { pair in
            let home = pair.bench.path
            for number in 0..<3 { _ = try await pair.waymark("add", "place \(number)", "0,\(number)") }
            let made = try await ProcessCommandTests.json(pair.waymark("backup", "one", "-o", "json"))[0]
            #expect(made.keys == ["file", "bytes", "sha256", "epoch", "rev"] && made.number("rev") == 3)
            var status = stat()
            #expect(stat(home + "/one", &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(Double(status.st_size) == made.number("bytes"))
            _ = try await pair.waymark("add", "later", "0,0")
            let again = try await pair.waymark("backup", "one")
            #expect(again.status == 1 && again.err.first?.contains("--force") == true)
            let text = try await ProcessCommandTests.text(pair.waymark("backup", "one", "--force"))
            #expect(text.first?.hasPrefix("one: revision 4 of epoch \(try #require(made["epoch"]))") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: home).allSatisfy { !$0.hasSuffix(".part") })
            let nowhere = try await pair.waymark("backup", "none/such")
            #expect(nowhere.status == 1 && nowhere.err.first?.contains("none/such") == true)

            let running = try await pair.waymark("restore", "one", "--data", "data", "--force")
            #expect(running.status == 1 && running.err.first?.contains("pid \(pair.storage.pid)") == true)
            _ = try await pair.waymark("add", "lost", "0,0")
            pair.storage.send(SIGTERM)
            #expect(try await pair.storage.ended() == 0)
            let unforced = try await pair.waymark("restore", "one", "--data", "data", "-o", "json")
            #expect(unforced.status == 1)
            #expect(try ProcessJSON(#require(unforced.err.first)).object("error")?["code"] == "exists")
            let restored = try await ProcessCommandTests.json(
                pair.waymark("restore", "one", "--data", "data", "--force", "-o", "json"))[0]
            #expect(restored.keys == ["directory", "bytes", "epoch", "rev", "kept"] && restored.number("rev") == 4)
            #expect(restored["epoch"] != made["epoch"] && restored["kept"]?.contains(".before-") == true)
            try await pair.startStorage()
            var names: [String?] = []
            try await until("the replica has the old history, after \(names)", within: .seconds(120)) {
                names = try await ProcessCommandTests.json(pair.waymark("list", "--by", "name", "-o", "json")).map {
                    $0["name"]
                }
                return names.count == 4
            }
            #expect(names == ["later", "place 0", "place 1", "place 2"])
            let gone = try await pair.waymark(
                "tail", "--since", "2", "--epoch", try #require(made["epoch"]), "--no-follow")
            #expect(gone.status == 6)

            // Without --data and without a database: the standard folder.
            let fresh = try await pair.bench.waymark("restore", "one")
            #expect(fresh.status == 0 && fresh.out.count == 1, "\(fresh)")
            #expect(FileManager.default.fileExists(atPath: home + "/share/waymark/waymark.sqlite"))
            try pair.bench.write("What is this?", to: "other")
            let other = try await pair.bench.waymark("restore", "other", "--force")
            #expect(other.status == 1 && other.err.first?.contains("not a database of Waymark") == true)
        }
    }

    @Test("a missing service is reported within the usual time")
    func nobody() async throws {
        try await withBench { bench in
            for arguments in [["compact"], ["backup", "x"]] {
                let result = try await bench.finish(
                    "waymark", arguments + ["--timeout", "200ms"],
                    environment: ["WAYMARK_CONNECT": "ipc://\(bench.path)/nobody"])
                #expect(result.status == 3)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: bench.path)
            #expect(files.allSatisfy { !$0.hasSuffix(".part") })
        }
    }
}
