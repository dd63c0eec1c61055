// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

@Suite("Exit codes, as a shell sees them", .inTurn)
struct ProcessExitTests {
    @Test("errors, usage, no connection, refusals, and a history that is gone")
    func codes() async throws {
        try await withProcessPair { pair in
            let other = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"
            let missing = try await pair.waymark("show", other, "-o", "json")
            #expect(missing.status == 1 && missing.out.isEmpty)
            #expect(try ProcessJSON(#require(missing.err.first)).object("error")?["code"] == "not_found")
            let unknown = try await pair.waymark("near", "qqqqzzzz")
            #expect(unknown.status == 8 && unknown.err.first?.contains("No place has the name") == true)
            let usage = try await pair.waymark("near", "1,2,3")
            #expect(usage.status == 2 && usage.err.first?.contains("a position is LAT,LON in degrees") == true)
            let nowhere = try await pair.waymark(
                "near", "0,0", "--connect", "ipc://\(pair.bench.path)/nobody", "--timeout", "200ms")
            #expect(nowhere.status == 3 && nowhere.err.first?.contains("Nobody answers at ipc://") == true)
            // The time covers the connection too, and without one the status would be 3.
            let late = try await pair.waymark("near", "0,0", "--at-least", "999", "--timeout", "10s")
            #expect(late.status == 4, "\(late)")

            let added = try await ProcessCommandTests.json(
                pair.waymark("add", "x", "0,0", "--note", "ann's", "-o", "json"))
            let note = try #require(added[0]["note"] ?? added[0]["id"])
            let shown = try await ProcessCommandTests.json(
                pair.waymark("show", try #require(added[0]["id"]), "-o", "json"))
            let id = shown[0].list("notes")?.first?["id"] ?? note
            let refused = try await pair.waymark("note", "edit", id, "ben's", "--as", "ben")
            #expect(refused.status == 5 && refused.out.isEmpty)

            for arguments in [["--since", "999"], ["--since", "0", "--epoch", other]] {
                for more in [[], ["--no-follow"]] {
                    let gone = try await pair.bench.finish(
                        "waymark", ["tail"] + arguments + more, environment: pair.variables)
                    #expect(gone.status == 6 && gone.out.isEmpty, "\(arguments + more): \(gone)")
                }
            }
        }
    }

    @Test("no answer in time: the outcome is unknown")
    func timedOut() async throws {
        // The longest possible interval of beacons: storage counts as down only after three are missed.
        try await withProcessPair(beacon: "1s") { pair in
            pair.storage.send(SIGSTOP)
            var add = try await pair.waymark("add", "x", "0,0", "--timeout", "2s")
            // On a busy machine the command may not even connect in its two seconds, and then nothing was sent.
            for _ in 0..<5 where add.status == 3 {
                pair.storage.send(SIGCONT)
                let good = try await pair.waymark("add", "z", "0,0", "--timeout", "60s")
                #expect(good.status == 0, "\(good)")
                pair.storage.send(SIGSTOP)
                add = try await pair.waymark("add", "x", "0,0", "--timeout", "2s")
            }
            #expect(add.status == 4 && add.out.isEmpty, "\(add)")
            #expect(add.err.first?.contains("The request may have been done") == true)
            pair.storage.send(SIGCONT)
            let again = try await pair.waymark("add", "y", "0,0", "--timeout", "60s")
            #expect(again.status == 0, "\(again.err)")
        }
    }

    @Test("another version of the protocol")
    func otherVersion() async throws {
        try await withBench { bench in
            let peer = ProcessForeigner()
            let endpoint = try await peer.open("ipc://\(bench.path)/foreign")
            let result = try await bench.waymark("near", "0,0", "--connect", endpoint, "--timeout", "60s")
            await peer.close()
            #expect(result.status == 7 && result.out.isEmpty, "\(result)")
        }
    }

    @Test("signals end a waiting command, and stop the services in order")
    func signals() async throws {
        try await withProcessPair { pair in
            for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
                let tail = try pair.start("tail", "-o", "json")
                let following = try ProcessJSON(try await tail.err.next())
                #expect(following.object("notice")?["code"] == "following")
                tail.send(signal)
                #expect(try await tail.ended() == status)
                #expect(try await tail.out.complete().isEmpty)
                #expect(try await ProcessJSON(tail.err.complete().last ?? "").object("notice")?["code"] == "ended")
            }
            for program in [pair.query, pair.storage] {
                program.send(SIGTERM)
                #expect(try await program.ended() == 0, "\(program.err.tail)")
            }
        }
    }

    @Test("tail ends when its reader has gone")
    func readerGone() async throws {
        try await withProcessPair { pair in
            _ = try await ProcessCommandTests.text(pair.waymark("add", "x", "0,0"))
            let shell = try await pair.bench.finish(
                "/bin/sh",
                [
                    "-c", #"{ "$0" tail -o json --since 0; echo "status $?" >&2; } | head -1"#,
                    "\(Products.folder)/waymark",
                ], environment: pair.variables)
            #expect(shell.status == 0 && shell.out.count == 1)
            #expect(try ProcessJSON(shell.out[0]).number("rev") == 1)
            #expect(shell.err.contains("status 141"), "\(shell.err)")
        }
    }
}
