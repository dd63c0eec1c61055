// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Monitoring
import ServiceHost
import ServiceLifecycle
import Synchronization
import TestTurns
import Testing
import ZeroMQ

@testable import Monitoring
@testable import WebServer

/// Tests the HTTP listener with a simulated service.
@Suite(.inTurn, .timeLimit(.minutes(20)))
struct ListenerTests {
    /// Whether the simulated service answers, and its problems.
    private final class Imagined: Sendable {
        let isStuck = Mutex(false)
        let problems = Mutex<[String]>([])
        let turns = Mutex(0)

        var monitored: Monitored {
            Monitored(
                turn: { await self.turn() },
                problems: {
                    await self.turn()
                    return self.problems.withLock { $0 }
                },
                collect: { await self.turn() })
        }

        private func turn() async {
            turns.withLock { $0 += 1 }
            while isStuck.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(10)) }
        }
    }

    private func watched(
        _ service: Imagined, patience: Duration = .seconds(60), idle: Int64 = 75, head: Int64 = 5
    ) async throws -> Watched {
        let pages = MonitoringPages(service.monitored, registry: MetricsRegistry(), patience: patience)
        var limits = MonitoringListener.limits
        (limits.idle, limits.head) = (.seconds(idle), .seconds(head))
        return try await Watched(pages) { [limits] in
            MonitoringListener($0, pages: pages, logger: Watched.silent, limits: limits, listening: $1)
        }
    }

    @Test
    func datesAreWrittenAsHTTPWritesThem() {
        // The example of RFC 9110, 5.6.7.
        #expect(HTTPDate.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test
    func liveAndReady() async throws {
        let service = Imagined()
        let watched = try await watched(service)
        let live = try await watched.get("/health/live")
        #expect(live.status == 200 && live.text == "live\n")
        let ready = try await watched.get("/health/ready")
        #expect(ready.status == 200 && ready.text == "ready\n")
        service.problems.withLock { $0 = ["The disk is full.", "The moon\nis down."] }
        let problems = try await watched.get("/health/ready")
        #expect(problems.status == 503 && problems.text == "The disk is full.\nThe moon is down.\n")
        #expect(try await watched.get("/health/live").status == 200)
        try await watched.stop()
    }

    @Test
    func aListenerThatIsCancelledLogsNothingOfIt() async throws {
        let lines = Locked<[String]>([])
        let log = HostLog(service: "test", level: .warning) { line in lines.withLock { $0.append(line) } }
        let pages = MonitoringPages(Imagined().monitored, registry: MetricsRegistry())
        let (ports, told) = AsyncStream<UInt16>.makeStream()
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let listener = MonitoringListener(
            address, pages: pages, logger: log.logger, listening: { told.yield($0.port) })
        let running = Task { try await listener.run() }
        var iterator = ports.makeAsyncIterator()
        _ = try #require(await iterator.next())
        // As a service group does when another of its services fails.
        running.cancel()
        _ = await running.result
        #expect(lines.withLock { $0 } == [])
    }

    @Test
    func aServiceThatHangsIsToldAndDoesNotHangItsProbers() async throws {
        let service = Imagined()
        let watched = try await watched(service, patience: .milliseconds(200))
        service.isStuck.withLock { $0 = true }
        let begun = ContinuousClock.now
        for path in ["/health/live", "/health/ready", "/health/live", "/health/live"] {
            let answer = try await watched.get(path)
            #expect(answer.status == 503 && answer.text.hasPrefix("The service's loop has not answered"))
        }
        let metrics = try await watched.scrape()
        #expect(metrics.value("waymark_loop_wait_seconds") == 1)
        // The service hangs for ever; on a busy machine five answers need time.
        #expect(ContinuousClock.now - begun < .seconds(600))
        // Any number of callers make one call.
        for _ in 0..<3_000 where service.turns.withLock({ $0 }) < 3 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(service.turns.withLock { $0 } == 3)
        service.isStuck.withLock { $0 = false }
        var status = 503
        for _ in 0..<1_000 where status != 200 { status = try await watched.get("/health/live").status }
        #expect(status == 200)
        var wait = 1.0
        for _ in 0..<1_000 where wait >= 1 {
            wait = try await watched.scrape().value("waymark_loop_wait_seconds")
        }
        #expect(wait < 1)
        try await watched.stop()
    }

    @Test
    func headAsksForTheSameWithoutTheBody() async throws {
        let watched = try await watched(Imagined())
        for path in ["/health/live", "/health/ready", "/metrics"] {
            let head = try await watched.get(path, "HEAD")
            let get = try await watched.get(path)
            #expect(head.status == 200 && head.text.isEmpty && !get.text.isEmpty)
            #expect(head.headers["content-type"] == get.headers["content-type"])
        }
        #expect(
            try await watched.get("/metrics").headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        try await watched.stop()
    }

    @Test(arguments: [
        ("/", "GET"), ("/metrics/", "POST"), ("/metrics", "DELETE"), ("/health", "GET"), ("/health/live/x", "GET"),
        ("/%2e%2e/etc/passwd", "GET"), ("/health/../metrics/x", "GET"),
    ])
    func everythingElseIsNotFound(path: String, method: String) async throws {
        let watched = try await watched(Imagined())
        #expect(try await watched.get(path, method).status == 404)
        try await watched.stop()
    }

    @Test
    func headersAreBounded() async throws {
        let watched = try await watched(Imagined())
        let small = ["x-small": String(repeating: "a", count: 4_000)]
        #expect(try await watched.get("/health/live", headers: small).status == 200)
        for headers in [
            "x-large: " + String(repeating: "a", count: 20_000),
            (0..<200).map { "x-\($0): a" }.joined(separator: "\r\n"),
        ] {
            let connection = try RawConnection(port: watched.port)
            connection.send("GET /metrics HTTP/1.1\r\nhost: a\r\n\(headers)\r\n\r\n")
            let answer = try #require(await connection.receiveAll())
            #expect(!answer.contains("200 OK"))
        }
        #expect(try await watched.get("/health/live").status == 200)
        try await watched.stop()
    }

    @Test
    func aConnectionThatDoesNothingIsClosed() async throws {
        let watched = try await watched(Imagined(), idle: 1)
        let silent = try RawConnection(port: watched.port)
        let half = try RawConnection(port: watched.port)
        half.send("GET /metrics HTTP/1.1\r\nhost")
        let (first, second) = (await silent.receiveAll(), await half.receiveAll())
        #expect(first == "")
        #expect(second != nil && second?.contains("200 OK") != true)
        try await watched.stop()
    }

    @Test
    func aRequestThatDoesNotEndIsClosedHoweverItTrickles() async throws {
        let pages = MonitoringPages(Imagined().monitored, registry: MetricsRegistry(), patience: .seconds(1))
        var limits = MonitoringListener.limits
        limits.request = .seconds(1)
        let watched = try await Watched(pages) { [limits] in
            MonitoringListener($0, pages: pages, logger: Watched.silent, limits: limits, listening: $1)
        }
        let slow = try RawConnection(port: watched.port)
        slow.send("POST /metrics HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n")
        let trickle = Task {
            while !Task.isCancelled {
                slow.send("a")
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        let begun = ContinuousClock.now
        _ = await slow.receiveAll()
        #expect(ContinuousClock.now - begun < .seconds(600))
        trickle.cancel()
        try await watched.stop()
    }

    @Test
    func connectionsAreBounded() async throws {
        // Longer than a connection here waits for an answer: only who has to make room is ended.
        let watched = try await watched(Imagined(), idle: 600, head: 600)
        let many = try await RawConnection.open(MonitoringListener.limits.connections + 20, port: watched.port)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(descriptors > many.count)
        let last = try #require(many.last)
        last.send("GET /health/live HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
        let answer = await last.receiveAll()
        #expect(answer?.contains("200 OK") == true)
        // Two loops admit them, so the longest wait is not always that of the first one to connect.
        let deadline = ContinuousClock.now + .seconds(100)
        while many.dropLast().count(where: \.hasEnded) < 20, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(many.dropLast().count(where: \.hasEnded) >= 20)
        try await watched.stop()
    }

    @Test
    func itStopsWhileConnectionsAreOpen() async throws {
        let watched = try await watched(Imagined(), idle: 3_600, head: 3_600)
        let kept = try RawConnection(port: watched.port)
        kept.send("GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n")
        #expect(await kept.receive()?.hasPrefix("HTTP/1.1 200") == true)
        let half = try RawConnection(port: watched.port)
        half.send("GET /heal")
        let silent = try RawConnection(port: watched.port)
        #expect(try await watched.get("/health/live").status == 200)
        let begun = ContinuousClock.now
        try await watched.stop()
        // Idle connections are closed after an hour; the stop must not wait for that.
        #expect(ContinuousClock.now - begun < .seconds(600))
        #expect(await kept.receiveAll() != nil)
        _ = (half, silent)
    }

    @Test
    func aPortThatIsTakenIsOneSentence() async throws {
        let watched = try await watched(Imagined())
        let address = try #require(ListenAddress("127.0.0.1:\(watched.port)"))
        let pages = MonitoringPages(Imagined().monitored, registry: MetricsRegistry())
        let second = MonitoringListener(address, pages: pages, logger: Watched.silent)
        await #expect {
            try await ServiceGroup(services: [second], logger: Watched.silent).run()
        } throws: { error in
            "\(error)"
                == "The address 127.0.0.1:\(watched.port) is taken: give http.listen another port, or stop what listens "
                + "there."
        }
        let elsewhere = MonitoringListener(
            try #require(ListenAddress("192.0.2.1:9464")), pages: pages, logger: Watched.silent)
        await #expect {
            try await ServiceGroup(services: [elsewhere], logger: Watched.silent).run()
        } throws: { error in
            (error as? HTTPListenerError)?.code == .address
        }
        try await watched.stop()
    }

    @Test(arguments: [
        ("127.0.0.1:9464", "127.0.0.1:9464"), ("[::1]:0", "[::1]:0"), ("localhost:1", "localhost:1"),
        ("127.0.0.1", nil), (":80", nil), ("::1:80", nil), ("a:65536", nil), ("a b:1", nil), ("http://a:1", nil),
        ("[::1]", nil), ("", nil),
    ])
    func addresses(text: String, shown: String?) {
        #expect(ListenAddress(text).map { "\($0)" } == shown)
    }
}
