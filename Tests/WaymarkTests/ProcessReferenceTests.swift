// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

@Suite("Short ids, short file names, and status", .inTurn)
struct ProcessReferenceTests {
    @Test("a unique beginning of an id is accepted wherever an id is; ids are short on a terminal, whole elsewhere")
    func beginnings() async throws {
        try await withProcessPair { pair in
            func add(_ name: String, _ place: String) async throws -> String {
                try #require(
                    try await ProcessCommandTests.json(pair.waymark("add", name, place, "-o", "json"))[0]["id"])
            }
            let one = try await add("one", "0,0")
            let two = try await add("two", "0,1")
            let short = String(one.prefix(18))
            #expect(try await ProcessCommandTests.text(pair.waymark("show", short))[0] == "one")
            for count in [19, 20, 24, 30, 35, 36] {
                #expect(try await ProcessCommandTests.text(pair.waymark("show", String(two.prefix(count))))[0] == "two")
            }
            let wrong = try await pair.waymark("show", two.prefix(34) + (two.dropFirst(34).first == "0" ? "1" : "0"))
            #expect(wrong.status == 1 && wrong.err.joined().contains("No landmark's id begins with that"))
            let compact = short.filter { $0 != "-" }.uppercased()
            #expect(try await ProcessCommandTests.text(pair.waymark("show", compact))[0] == "one")
            #expect(try await ProcessCommandTests.text(pair.waymark("edit", short, "--kind", "k"))[0].contains(one))
            #expect(try await ProcessCommandTests.text(pair.waymark("note", short, "n"))[0].contains(one))
            let apart = try await ProcessCommandTests.json(pair.waymark("distance", short, "0", "1", "-o", "json"))[0]
            #expect(try #require(apart.number("distance_m")) > 111_000)
            let told = try await pair.waymark("tail", "--no-follow", "--id", short, "-o", "json")
            #expect(try ProcessCommandTests.json(told).count == 3)

            // The first eight digits change about once a minute. If they did in between, they name one landmark alone.
            if one.prefix(8) == two.prefix(8) {
                let many = try await pair.waymark("remove", String(one.prefix(8)))
                #expect(many.status == 1 && many.err.joined().contains(one) && many.err.joined().contains("two"))
            }
            let none = try await pair.waymark("remove", "ffffffff-ffff", "-o", "json")
            #expect(none.status == 1 && none.err[0].contains("\"not_found\""))
            let name = try await pair.waymark("remove", "0193")
            #expect(name.status == 1 && name.err.joined().contains("No landmark is called \"0193\""))

            for arguments in [["near", "0,0"], ["list"], ["tail", "--no-follow"]] {
                let terminal = try await pair.bench.finish(
                    "waymark", arguments, environment: pair.variables, stdout: .terminal)
                let seen = terminal.out.joined()
                #expect(seen.contains(short) && !seen.contains(one), "\(arguments)")
                let piped = try await pair.bench.finish("waymark", arguments, environment: pair.variables)
                #expect(piped.out.joined().contains(one), "\(arguments)")
            }
            let last = try await ProcessCommandTests.text(pair.waymark("remove", String(two.prefix(18))))
            #expect(last[0].hasPrefix("removed \(two) "))
        }
    }

    @Test("file names of one character, stdout, and no files left after Ctrl-C")
    func files() async throws {
        try await withProcessPair { pair in
            _ = try await pair.waymark("add", "x", "0,0")
            _ = try await ProcessCommandTests.text(pair.waymark("backup", "b"))
            _ = try await ProcessCommandTests.text(
                pair.waymark("tail", "--from-start", "--no-follow", "--cursor-file", "c"))
            let home = pair.bench.path
            #expect(FileManager.default.fileExists(atPath: home + "/c"))
            let size = try FileManager.default.attributesOfItem(atPath: home + "/b")[.size] as? Int

            let shell = try await pair.bench.finish(
                "/bin/sh", ["-c", "\(Products.folder)/waymark backup - > s"], environment: pair.variables)
            #expect(shell.status == 0 && shell.err.joined().contains("stdout: revision 1 of epoch"))
            #expect(try FileManager.default.attributesOfItem(atPath: home + "/s")[.size] as? Int == size)
            let terminal = try await pair.bench.finish(
                "waymark", ["backup", "-"], environment: pair.variables, stdout: .terminal)
            #expect(terminal.status == 2 && terminal.err.joined().contains("cannot be printed on a terminal"))

            // Storage is stopped, so that the backup stays under way.
            pair.storage.send(SIGSTOP)
            let backup = try pair.start("backup", "d", "--timeout", "100s")
            try await until("the backup has begun") { try Self.drafts(home).contains { $0.hasPrefix("d.") } }
            backup.send(SIGINT)
            #expect(try await backup.ended() == 130)
            pair.storage.send(SIGCONT)
            #expect(try Self.drafts(home) == [])
        }
    }

    @Test("a full disk: status ends with 1, and backup reports it at once")
    func disk() async throws {
        try await withProcessPair { pair in
            _ = try await pair.waymark("add", "x", "0,0")
            #expect(try await pair.status().status == 0)
            pair.storage.send(SIGTERM)
            #expect(try await pair.storage.ended() == 0)
            let file = try String(contentsOfFile: pair.bench.path + "/storage.yaml", encoding: .utf8)
            try pair.bench.write(file + "disk:\n  reserve: 1023GiB\n", to: "storage.yaml")
            try await pair.startStorage()

            var status = try await pair.waymark("status")
            // Storage checks its disk a moment after its start, and the query service has to learn the result.
            while status.status == 0 || status.err.joined().contains("Storage d") {
                status = try await pair.waymark("status")
            }
            #expect(status.status == 1 && status.err.joined().contains("refuses every write"), "\(status)")
            #expect(status.out.contains { $0.contains("refused because of the disk") })
            let json = try await pair.status("-o", "json")
            #expect(json.status == 1 && json.out.count == 1 && json.err[0].contains("\"storage_full\""))

            let began = ContinuousClock.now
            let backup = try await pair.waymark("backup", "b", "-o", "json")
            #expect(backup.status == 1 && backup.err[0].contains("\"storage_full\""), "\(backup)")
            #expect(ContinuousClock.now - began < .seconds(30))
            #expect(try Self.drafts(pair.bench.path) == [])
        }
    }

    @Test("storage is down: status reports it and ends with 3")
    func away() async throws {
        try await withProcessPair { pair in
            try await pair.storage.slain()
            var status = try await pair.waymark("status", "--timeout", "5s")
            while !status.err.joined().contains("Storage does not answer") {
                status = try await pair.waymark("status", "--timeout", "5s")
            }
            #expect(status.status == 3 && status.err.joined().contains("writes are refused"), "\(status)")
            #expect(
                status.out.contains { $0.hasPrefix("query ") } && status.out.contains { $0.contains("does not answer") }
            )
        }
    }

    private static func drafts(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".part") }
    }
}
