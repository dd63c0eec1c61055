// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestTurns
import TestWeb
import Testing

@testable import WaymarkLoad

@Suite("The generator over HTTP", .inShortTurn)
struct HTTPTestTests {
    private static let body = #"{"items":[]}"#
    private static let patience: UInt64 = 60_000_000_000

    /// Runs `body` with the address of a server, which is given up afterwards.
    @discardableResult
    private func with<Value>(
        _ respond: @escaping @Sendable (Int) -> TestServer.Reply, _ body: (HTTPOrigin, TestServer) async throws -> Value
    ) async throws -> Value {
        let server = try await TestServer { _, before in respond(before) }
        do {
            let value = try await body(HTTPOrigin(host: "127.0.0.1", port: UInt16(server.port)), server)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    private func ask(
        _ count: Int, window: Int = 3, timeout: UInt64 = HTTPTestTests.patience,
        of respond: @escaping @Sendable (Int) -> TestServer.Reply
    ) async throws -> LoadFigures {
        try await with(respond) { origin, _ in
            let test = HTTPTest(origin, timeout: timeout) { $1 += origin.request("/v1/near?number=\($0)") }
            let shape = LoadShape(loop: .closed(window: window), end: .count(count), warmUp: 0)
            return try await test.run(shape, LoadWatch()).figures
        }
    }

    @Test("Each answer is counted once, over connections that stay open")
    func counts() async throws {
        let figures = try await ask(50) { _ in .message("200 OK", [], Self.body) }
        #expect(figures.done == 50 && figures.failures == 0)
        #expect(figures.latency.p50 > 0 && figures.seconds > 0)
        #expect(figures.bytes > 50 * UInt64(Self.body.utf8.count))
    }

    @Test("A connection that the server closes with an answer is opened again")
    func reopened() async throws {
        let answer = TestServer.Reply.message("200 OK", ["Connection: close"], Self.body)
        let figures = try await ask(20) { _ in TestServer.Reply(bytes: answer.bytes, then: .close) }
        #expect(figures.done == 20 && figures.failures == 0)
    }

    @Test("A refusal is a failure under its number")
    func refusals() async throws {
        let figures = try await ask(10, window: 1) { before in
            before == 4 ? .message("503 Service Unavailable", [], "{}") : .message("200 OK", [], Self.body)
        }
        #expect(figures.done == 9)
        #expect(figures.errors == ["http_503": 1])
    }

    @Test("An answer that is broken, endless, cut off or overdue is a failure, and the test goes on")
    func failures() async throws {
        let broken = try await ask(5) { before in
            before == 2 ? TestServer.Reply(bytes: "hello\r\n\r\n") : .message("200 OK", [], Self.body)
        }
        #expect(broken.done == 4 && broken.errors == ["unreadable_answer": 1])
        let endless = try await ask(2, window: 1) { _ in
            TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nX: ", then: .repeating("abcdefgh"))
        }
        #expect(endless.errors == ["unreadable_answer": 2])
        // Chunks of one byte behind long extensions come faster than they can be read.
        let chunk = "1;\(String(repeating: "x", count: 10_000))\r\na\r\n"
        let busy = try await ask(1, window: 1, timeout: 300_000_000) { _ in
            TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", then: .repeating(chunk))
        }
        #expect(busy.errors == ["timed_out": 1])
        let cut = try await ask(4) { _ in
            TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na", then: .close)
        }
        #expect(cut.errors == ["connection_lost": 4])
        let mute = try await ask(3, window: 1, timeout: 300_000_000) { _ in TestServer.Reply(bytes: "") }
        #expect(mute.errors == ["timed_out": 3])
    }

    @Test("Nobody, and a refusal of the first request, end the test with a reason")
    func nobody() async throws {
        _ = try await with({ _ in .message("401 Unauthorized") }) { origin, _ in
            await #expect(throws: HTTPLoadError.status(401)) {
                try await HTTPTest(origin) { $1 += origin.request("/v1/near?number=\($0)") }.meet(LoadStop())
            }
            await #expect(throws: HTTPLoadError.status(401)) {
                _ = try await FollowTest(origin, streams: 2).run(
                    LoadShape(loop: .closed(window: 1), warmUp: 0), LoadWatch())
            }
        }
        // No test listens at a port below 1,024, so nobody takes this one meanwhile.
        let nobody = HTTPOrigin(host: "127.0.0.1", port: 1)
        await #expect(throws: HTTPLoadError.nobody("\(nobody)")) {
            try await HTTPTest(nobody) { $1 += nobody.request("/\($0)") }.meet(LoadStop())
        }
    }

    @Test("A stream that does not begin is given up")
    func silent() async throws {
        _ = try await with({ _ in TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\n") }) { origin, _ in
            await #expect(throws: HTTPLoadError.noAnswer) {
                _ = try await FollowTest(origin, streams: 1, timeout: 200_000_000).run(
                    LoadShape(loop: .closed(window: 1), warmUp: 0), LoadWatch())
            }
        }
    }

    @Test("The questions are those of near, with decimal numbers")
    func near() async throws {
        try await with({ _ in .message("200 OK", [], Self.body) }) { origin, server in
            let requests = WebNear(origin, limit: 7, radius: 0.000_01, around: nil, seed: 1)
            let test = HTTPTest(origin, timeout: Self.patience) { requests.append($0, to: &$1) }
            let shape = LoadShape(loop: .closed(window: 2), end: .count(30), warmUp: 0)
            let figures = try await test.run(shape, LoadWatch()).figures
            #expect(figures.done == 30)
            let form = #/\/v1\/near\?lat=-?[0-9]+\.[0-9]+&lng=-?[0-9]+\.[0-9]+&limit=7&radius=0\.0000100/#
            #expect(server.requests.allSatisfy { $0.uri.wholeMatch(of: form) != nil })
            #expect(Set(server.requests.map(\.uri)).count == 30)
        }
    }

    @Test("What is sent to another machine does not stay on this one")
    func loopback() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"] {
            #expect(HTTPOrigin(host: host, port: 1).isLoopback, "\(host)")
        }
        let others = [
            "127.0.0.1.example.org", "127.0.0.1%example.org", "128.0.0.1", "example.org", "0.0.0.0", "::",
            "localhost.example.org",
        ]
        for host in others {
            #expect(!HTTPOrigin(host: host, port: 1).isLoopback, "\(host)")
        }
    }
}
