// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import TestTurns
import TestWeb
import Testing

@testable import waymark_measure

@Suite("The generator over HTTP", .inShortTurn)
struct HTTPLoadTests {
    private static let body = #"{"items":[]}"#

    private func ask(
        _ count: Int, window: Int = 3, status: Int = 200,
        of respond: @escaping @Sendable (Int) -> TestServer.Reply
    ) async throws -> LoadFigures {
        let server = try await TestServer { _, before in respond(before) }
        let port = UInt16(server.port)
        let load = HTTPLoad(port: port, status: status) { HTTPLoad.get("/v1/near?number=\($0)", port: port) }
        let shape = LoadShape(loop: .closed(window: window), end: .count(count), warmUp: 0)
        do {
            let figures = try await load.run(shape, LoadWatch()).figures
            await server.stop()
            return figures
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test("Each answer is counted once, over connections that stay open")
    func counts() async throws {
        let figures = try await ask(50) { _ in .message("200 OK", [], Self.body) }
        #expect(figures.done == 50 && figures.failures == 0)
        #expect(figures.latency.p50 > 0 && figures.seconds > 0)
        #expect(figures.bytes > 50 * UInt64(Self.body.utf8.count))
    }

    @Test("A refusal is a failure under its number")
    func refusals() async throws {
        let figures = try await ask(10, window: 1) { before in
            before == 4 ? .message("503 Service Unavailable", [], "{}") : .message("200 OK", [], Self.body)
        }
        #expect(figures.done == 9)
        #expect(figures.errors == ["HTTP 503": 1])
    }

    @Test(
        "A broken answer ends the run",
        arguments: [
            "hello\r\n\r\n", "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", "HTTP/1.1 200 OK\nContent-Length: 1\n\na",
        ])
    func broken(text: String) async throws {
        await #expect(throws: HTTPLoadError.brokenReply) {
            _ = try await ask(10) { _ in TestServer.Reply(bytes: text) }
        }
    }

    @Test("A head without an end is refused at its bound")
    func endless() async throws {
        await #expect(throws: HTTPLoadError.brokenReply) {
            _ = try await ask(1) { _ in TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nX: ", then: .repeating("abcdefgh"))
            }
        }
    }

    @Test("A closed connection, and a port where nothing listens, end the run")
    func closed() async throws {
        await #expect(throws: HTTPLoadError.closed) {
            _ = try await ask(10) { _ in
                TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na", then: .close)
            }
        }
        let free = try #require(PlainSocket.listen())
        close(free.descriptor)
        let load = HTTPLoad(port: free.port, status: 200) { _ in [] }
        await #expect(throws: HTTPLoadError.cannotConnect) {
            _ = try await load.run(LoadShape(loop: .closed(window: 1), end: .count(1), warmUp: 0), LoadWatch())
        }
    }

    @Test("An answer is read however its bytes are cut")
    func cuts() throws {
        let text = Array("HTTP/1.1 201 Created\r\ncontent-LENGTH: 5 \r\nETag: x\r\n\r\nab\r\n\n".utf8)
        for cut in 0..<text.count {
            var reader = HTTPReplyReader()
            for part in [text[..<cut], text[cut...]] {
                #expect(try reader.next() == nil)
                part.withUnsafeBytes { reader.append($0) }
            }
            #expect(try reader.next() == HTTPReplyReader.Reply(status: 201, bytes: text.count), "cut at \(cut)")
            #expect(try reader.next() == nil)
        }
    }
}
