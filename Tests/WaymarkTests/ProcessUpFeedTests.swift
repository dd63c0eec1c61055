// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestProcess
import TestTurns
import Testing

@Suite("Where up publishes the feed", .inTurn)
struct ProcessUpFeedTests {
    private static func beside(_ endpoint: String) throws -> String {
        let colon = try #require(endpoint.lastIndex(of: ":"))
        return "\(endpoint[...colon])\(try #require(UInt16(endpoint[endpoint.index(after: colon)...])) + 2)"
    }

    private static func up(
        _ bench: ProcessBench, _ data: String, _ flags: String..., environment: [String: String] = [:]
    ) throws -> Child {
        try bench.start("waymark", ["up", "--data", data, "--no-web"] + flags, environment: environment)
    }

    /// Where the feed is announced.
    private static func announced(_ bench: ProcessBench, _ endpoint: String) async throws -> String? {
        let status = try await bench.status(["-o", "json"], environment: ["WAYMARK_CONNECT": endpoint])
        return try ProcessJSON(#require(status.out.first)).object("storage")?["changes_endpoint"]
    }

    @Test("two ports above that for requests; if that is taken on loopback, at any free one, and up says where")
    func loopback() async throws {
        try await withBench { bench in
            let endpoint = try Ports.endpoint()
            let first = try Self.up(bench, "one", "--listen", endpoint)
            _ = try await first.out.next { $0 == "Stop with Ctrl-C." }
            let feed = try Self.beside(endpoint)
            #expect(try await Self.announced(bench, endpoint) == feed)
            first.send(SIGTERM)
            #expect(try await first.ended() == 0)
            let other = try Self.up(bench, "two", "--listen", feed)
            _ = try await other.out.next { $0 == "Stop with Ctrl-C." }
            let again = try Self.up(bench, "one", "--listen", endpoint)
            let line = try await again.out.next { $0.hasPrefix("The address \(feed) is taken, so changes are ") }
            _ = try await again.out.next { $0 == "Stop with Ctrl-C." }
            let moved = try #require(line.split(separator: " ").last?.dropLast())
            #expect(try await Self.announced(bench, endpoint) == String(moved))
            #expect(try await Self.announced(bench, feed) == Self.beside(feed))
        }
    }

    @Test("an endpoint that was given counts, and one that is taken beyond loopback ends the start with what to do")
    func given() async throws {
        try await withBench { bench in
            let endpoint = try Ports.endpoint()
            let own = "ipc://\(bench.path)/own"
            let first = try Self.up(bench, "one", "--listen", endpoint, "--changes", own)
            _ = try await first.out.next { $0 == "Stop with Ctrl-C." }
            #expect(try await Self.announced(bench, endpoint) == own)
            let insecure = ["WAYMARK_QUERY_INSECURE": "true"]
            let open = try Ports.endpoint().replacing("127.0.0.1", with: "0.0.0.0")
            let second = try Self.up(bench, "two", "--listen", open, environment: insecure)
            let feed = try Self.beside(open)
            _ = try await second.out.next {
                $0 == "Changes are published on \(feed): other machines need this port too."
            }
            _ = try await second.out.next { $0 == "Stop with Ctrl-C." }
            #expect(
                try await Self.announced(bench, open.replacing("0.0.0.0", with: "127.0.0.1"))
                    == feed.replacing("0.0.0.0", with: "*"))
            let third = try Self.up(
                bench, "three", "--listen", "tcp://127.0.0.1:*", "--changes", feed, environment: insecure)
            #expect(try await third.ended() == 1)
            #expect(
                try await third.err.complete().contains {
                    $0.contains("The address \(feed) of the feed is taken") && $0.contains("--changes")
                })
        }
    }
}
