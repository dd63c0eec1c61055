// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

@Suite("The newcomer's path", .inTurn)
struct ProcessNewcomerTests {
    private static let expected = [
        ("Circular Quay", "444.984 m"), ("Milsons Point", "718.723 m"), ("Darling Harbour", "2268.756 m"),
        ("Bondi Beach", "6747.835 m"), ("Manly Beach", "9489.410 m"),
    ]

    @Test("one command, then near, user, tail and add from other terminals; a second time nothing is added")
    func path() async throws {
        try await withBench { bench in
            let first = try Self.up(bench)
            let endpoint = try await Self.listening(first)
            let connect = ["WAYMARK_CONNECT": endpoint]
            // On a busy machine the fetch may take longer than the guide waits for it.
            _ = try await first.out.first { $0.contains("5 added") && $0.contains("config/sydney.json") }

            let near = try await bench.waymark("near", "-33.8568,151.2153", environment: connect)
            #expect(near.status == 0 && near.err.isEmpty)
            #expect(near.out.count == 6)
            for (line, (name, metres)) in zip(near.out.dropFirst(), Self.expected) {
                #expect(line.contains(" \(name) ") && line.trimmingCharacters(in: .whitespaces).hasPrefix(metres + " "))
            }

            let nameless = try await bench.waymark("add", "Opera House", "-33.8568,151.2153", environment: connect)
            #expect(nameless.status == 2 && nameless.err.contains { $0.contains("waymark user set NAME") })
            #expect(try await bench.waymark("user", "set", "ann").status == 0)

            let tail = try bench.start("waymark", ["tail"], environment: connect)
            _ = try await tail.err.next { $0.hasPrefix("Following the changes after revision 5") }
            let add = try await bench.waymark(
                "add", "Opera House", "-33.8568,151.2153", "--note", "Sails at sunset", environment: connect)
            #expect(add.status == 0 && add.out.first?.hasSuffix(" at revision 6") == true)
            let line = try await tail.out.next()
            #expect(line.contains("added") && line.contains("Opera House") && line.contains("by ann"))
            tail.send(SIGINT)
            #expect(try await tail.ended() == 130)

            first.send(SIGTERM)
            #expect(try await first.ended() == 0)
            let second = try Self.up(bench)
            let again = try await Self.listening(second)
            #expect(!second.out.all.contains { $0.contains("added") && !$0.contains(" 0 added") }, "\(second.out.all)")
            let status = try await bench.status(["-o", "json"], environment: ["WAYMARK_CONNECT": again])
            #expect(try ProcessJSON(#require(status.out.first)).object("storage")?.number("head") == 6)
            second.send(SIGINT)
            #expect(try await second.ended() == 0)
        }
    }

    @Test("elsewhere, without a settings file, the program's built-in landmarks")
    func elsewhere() async throws {
        try await withBench { bench in
            // A copy of the program, because the built one finds the clone that it was built in.
            let program = "\(bench.path)/waymark"
            let copy = try await bench.finish("/bin/cp", ["\(Products.folder)/waymark", program])
            #expect(copy.status == 0)
            let file = try bench.write("", to: "file")
            let wrong = try await bench.finish(program, ["up", "--data", file])
            #expect(
                wrong.status == 2
                    && wrong.err == ["error: \(file) is a file: name the folder of the database with --data."])
            let bad = try await bench.finish(program, ["up", "--config", "none.yaml"])
            #expect(bad.status == 2 && bad.err.count == 1 && bad.err[0].hasPrefix("error: none.yaml"))

            let up = try bench.start(program, ["up", "--data", "d", "--listen", "tcp://127.0.0.1:*"])
            let endpoint = try await Self.listening(up)
            _ = try await up.out.first { $0.contains("5 added") }
            let connect = ["WAYMARK_CONNECT": endpoint]
            let none = try await bench.waymark("near", "-33.8568", "151.2153", "--kind", "peek", environment: connect)
            #expect(none.status == 0 && none.err == ["No landmark has the kind peek."])
            let added = try await bench.waymark(
                "add", "Uluru", "25.3444S", "131.0369E", "--kind", "peak", "--as", "ann", environment: connect)
            #expect(added.status == 0)
            let near = try await bench.waymark("near", "0,0", "--kind", "peek", environment: connect)
            #expect(near.err == ["No landmark has the kind peek: did you mean peak?"])
            // A shell waits for less than a second: on a busy machine what the service knows comes too late for it.
            func offer() async throws -> ProcessResult {
                try await bench.waymark(
                    "---completion", "near", "--", "--kind", "3", "1", "waymark", "near", "--kind", "p",
                    environment: connect)
            }
            var offered = try await offer()
            for _ in 0..<60 where !offered.out.contains("peak") { offered = try await offer() }
            #expect(offered.out.contains("peak") && offered.out.contains("pharmacy"), "\(offered)")
            let map = try await bench.waymark("near", "0,0", "--limit", "2", "-o", "geojson", environment: connect)
            #expect(map.status == 0 && map.out.count == 4 && map.out[1].contains("\"coordinates\":[131.0369,-25.3444]"))
            let link = try await bench.waymark(
                "add", "x", "0,0", "--link", "javascript:alert(1)", "--as", "ann", environment: connect)
            #expect(link.status == 2 && link.err[0].contains("only http:, https: and mailto: are kept"))
            up.send(SIGTERM)
            #expect(try await up.ended() == 0)
        }
    }

    /// From the clone's folder, as in the README, without a settings file on the command line.
    private static func up(_ bench: ProcessBench) throws -> Child {
        try bench.start(
            "waymark", ["up", "--data", "\(bench.path)/data", "--listen", "tcp://127.0.0.1:*"],
            directory: ProcessBench.repository)
    }

    /// Waits for the end of the guide, and checks the commands that it suggests.
    private static func listening(_ program: Child) async throws -> String {
        let line = try await program.out.next { $0.hasPrefix("Listening on ") }
        let endpoint = try #require(line.split(separator: " ").dropFirst(2).first).dropLast()
        _ = try await program.out.next { $0 == "Stop with Ctrl-C." }
        let lines = program.out.all
        for word in [
            "export WAYMARK_CONNECT=\(endpoint)", "near -33.8568,151.2153", "tail", "user set YOUR-NAME", "add ",
        ] {
            #expect(lines.contains { $0.hasPrefix("  ") && $0.contains(word) }, "\(word) in \(lines)")
        }
        return String(endpoint)
    }
}
