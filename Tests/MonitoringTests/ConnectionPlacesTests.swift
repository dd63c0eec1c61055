// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import NIOCore
import ServiceLifecycle
import Synchronization
import TestTurns
import Testing

@testable import Monitoring
@testable import WebServer

/// Who keeps a connection, when there are too many.
@Suite("Places of connections", .inTurn)
struct ConnectionPlacesTests {
    private static let slowQuestion = "GET /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
    private static let question = "GET /health/live HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"

    /// How many have asked for `/slow`.
    private final class Asked: Sendable { let count = Atomic(0) }
    private let asked = Asked()

    private func untilAsked(_ count: Int) async throws {
        try await until("\(count) have asked") { asked.count.load(ordering: .relaxed) >= count }
        #expect(asked.count.load(ordering: .relaxed) == count)
    }

    /// Runs `body` with a listener that answers, except those who ask for `/slow` before `open` is called.
    private func withListener(
        _ change: (inout HTTPLimits) throws -> Void, _ body: (UInt16, _ open: () -> Void) async throws -> Void
    ) async throws {
        var limits = HTTPLimits(connections: 64)
        try change(&limits)
        let (bound, gate) = (AsyncStream.makeStream(of: UInt16.self), AsyncStream.makeStream(of: Void.self))
        let listener = HTTPListener(
            try #require(ListenAddress("127.0.0.1:0")), setting: "test", limits: limits, logger: Watched.silent,
            listening: { bound.continuation.yield($0.port) },
            respond: { [asked] request, _ in
                if request.uri.path == "/slow" {
                    asked.count.add(1, ordering: .relaxed)
                    for await _ in gate.stream {}
                }
                return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "here")))
            })
        let group = ServiceGroup(services: [listener], logger: Watched.silent)
        let running = Task { try await group.run() }
        var ports = bound.stream.makeAsyncIterator()
        let port = try #require(await ports.next())
        let result: Result<Void, any Error>
        do { result = .success(try await body(port) { gate.continuation.finish() }) } catch { result = .failure(error) }
        gate.continuation.finish()
        await group.triggerGracefulShutdown()
        try await running.value
        try result.get()
    }

    private func isServed(_ port: UInt16, from source: UInt32 = 1) async throws -> Bool {
        let connection = try RawConnection(port: port, from: source)
        connection.send(Self.question)
        return await connection.receiveAll()?.contains("200 OK") == true
    }

    @Test("unfinished heads, and connections that say nothing, end after the time for a head")
    func aHeadHasADeadline() async throws {
        // Without the time for a head they would end after the idle time.
        try await withListener {
            ($0.head, $0.idle) = (.seconds(2), .seconds(3_600))
        } _: { port, _ in
            let begun = ContinuousClock.now
            let (silent, half) = (try RawConnection(port: port), try RawConnection(port: port))
            half.send("GET / HTTP/1.1\r\nhost")
            #expect(await silent.receiveAll() == "")
            #expect(await half.receiveAll() != nil)
            // A later head as well, while the connection itself may be silent for longer.
            let kept = try RawConnection(port: port)
            kept.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
            #expect(await kept.receive()?.contains("200 OK") == true)
            kept.send("GET")
            #expect(await kept.receiveAll() != nil)
            #expect(ContinuousClock.now - begun < .seconds(600))
        }
    }

    @Test("a connection that waits for its next request lives longer than a head may take")
    func silenceBetweenRequestsIsFine() async throws {
        try await withListener {
            $0.head = .seconds(2)
        } _: { port, _ in
            let kept = try RawConnection(port: port)
            kept.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
            #expect(await kept.receive()?.contains("200 OK") == true)
            // Opened later, and over: so the time for a head has passed.
            let other = try RawConnection(port: port)
            #expect(await other.receiveAll() == "")
            kept.send(Self.question)
            #expect(await kept.receiveAll()?.contains("200 OK") == true)
        }
    }

    @Test("when all places are taken by those who do nothing, the next one is served at once")
    func theIdleMakeRoom() async throws {
        try await withListener {
            ($0.head, $0.idle) = (.seconds(3_600), .seconds(3_600))
        } _: { port, _ in
            let many = try await RawConnection.open(200, port: port, sending: "GET / HTTP/1.1\r\nhost")
            let begun = ContinuousClock.now
            #expect(try await isServed(port))
            #expect(ContinuousClock.now - begun < .seconds(600))
            withExtendedLifetime(many) {}
        }
    }

    @Test("those who wait for an answer are not ended for those who do nothing")
    func theBusyStay() async throws {
        try await withListener {
            $0.connections = 8
        } _: { port, open in
            let busy = try await RawConnection.open(4, port: port, sending: Self.slowQuestion)
            try await untilAsked(4)
            for _ in 0..<20 { #expect(try await isServed(port)) }
            let idle = try await RawConnection.open(20, port: port)
            #expect(await idle[0].receiveAll() == "")
            open()
            for connection in busy { #expect(await connection.receiveAll()?.contains("200 OK") == true) }
        }
    }

    @Test("one address has its share, others are served; who stands for many has none")
    func aShareForEachAddress() async throws {
        let gate = try #require(IPAddress("127.0.0.9"))
        try await withListener {
            $0.share = 4
            // Longer than a connection here waits for an answer: only who has to make room is ended.
            $0.head = .seconds(600)
            $0.idle = .seconds(600)
            $0.standsForMany = { $0 == gate }
        } _: { port, open in
            let throughGate = try await RawConnection.open(30, port: port, from: 9, sending: Self.slowQuestion)
            let greedy = try await RawConnection.open(4, port: port, from: 2, sending: Self.slowQuestion)
            // All of them have asked and are not ended for it.
            try await untilAsked(34)
            #expect(try await isServed(port, from: 3))
            let fifth = try RawConnection(port: port, from: 2)
            #expect(await fifth.receiveAll() == "")
            #expect(try await isServed(port, from: 3))
            open()
            for connection in throughGate + greedy {
                #expect(await connection.receiveAll()?.contains("200 OK") == true)
            }
        }
    }

    @Test("an answer that says so closes the connection")
    func closeIsClose() async throws {
        var limits = HTTPLimits(connections: 8)
        limits.idle = .seconds(3_600)
        let bound = AsyncStream.makeStream(of: UInt16.self)
        let listener = HTTPListener(
            try #require(ListenAddress("127.0.0.1:0")), setting: "test", limits: limits, logger: Watched.silent,
            listening: { bound.continuation.yield($0.port) },
            respond: { _, _ in Response(status: .serviceUnavailable, headers: [.connection: "close"]) })
        let group = ServiceGroup(services: [listener], logger: Watched.silent)
        let running = Task { try await group.run() }
        var ports = bound.stream.makeAsyncIterator()
        let port = try #require(await ports.next())
        let connection = try RawConnection(port: port)
        connection.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
        let begun = ContinuousClock.now
        #expect(await connection.receiveAll()?.contains("503") == true)
        #expect(ContinuousClock.now - begun < .seconds(600))
        await group.triggerGracefulShutdown()
        try await running.value
    }

    @Test(
        "a network is an address of IPv4, and the first half of one of IPv6",
        arguments: [
            ("1.2.3.4", "1.2.3.4"), ("::ffff:1.2.3.4", "1.2.3.4"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("::1", "::"),
        ])
    func networks(address: String, network: String) throws {
        #expect(try #require(IPAddress(address)).network.description == network)
    }
}
