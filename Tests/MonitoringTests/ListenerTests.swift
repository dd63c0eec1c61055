// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Monitoring
import ServiceHost
import ServiceLifecycle
import TestTurns
import Testing
import ZeroMQ

@testable import Monitoring
@testable import WebServer

/// Tests the HTTP listener with a simulated service.
@Suite(.inTurn)
struct ListenerTests {
    @Test
    func datesAreWrittenAsHTTPWritesThem() {
        // The example of RFC 9110, 5.6.7.
        #expect(HTTPDate.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test
    func liveAndReady() async throws {
        let service = ImaginedService()
        let watched = try await service.watched()
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
        let pages = ImaginedService().pages()
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
        let service = ImaginedService()
        let watched = try await service.watched(patience: .milliseconds(200))
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
        try await until { service.turns.withLock { $0 } >= 3 }
        #expect(service.turns.withLock { $0 } == 3)
        service.isStuck.withLock { $0 = false }
        try await until { try await watched.get("/health/live").status == 200 }
        try await until { try await watched.scrape().value("waymark_loop_wait_seconds") < 1 }
        try await watched.stop()
    }

    @Test
    func headAsksForTheSameWithoutTheBody() async throws {
        let watched = try await ImaginedService().watched()
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
        let watched = try await ImaginedService().watched()
        #expect(try await watched.get(path, method).status == 404)
        try await watched.stop()
    }

    @Test
    func aPortThatIsTakenIsOneSentence() async throws {
        let watched = try await ImaginedService().watched()
        let address = try #require(ListenAddress("127.0.0.1:\(watched.port)"))
        let pages = ImaginedService().pages()
        let second = MonitoringListener(address, pages: pages, logger: Watched.silent)
        await #expect {
            try await ServiceGroup(services: [second], logger: Watched.silent).run()
        } throws: { error in
            "\(error)"
                == "The address 127.0.0.1:\(watched.port) is taken: give http.listen another port, or stop the "
                + "server there."
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
