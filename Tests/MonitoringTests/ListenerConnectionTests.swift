// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import Monitoring
@testable import WebServer

/// The connections of the HTTP listener, in front of a simulated service.
@Suite(.inTurn)
struct ListenerConnectionTests {
    @Test
    func headersAreBounded() async throws {
        let watched = try await ImaginedService().watched()
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
        let watched = try await ImaginedService().watched(idle: 1)
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
        let pages = ImaginedService().pages(patience: .seconds(1))
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
                // Slowly: the request is under way for longer than it may be.
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
    func requestsThatComeTogetherAreAnsweredInTurn() async throws {
        let watched = try await ImaginedService().watched()
        let connection = try RawConnection(port: watched.port)
        let get = "GET /health/live HTTP/1.1\r\nhost: a\r\n"
        // Nobody reads the body of the first one. The rest are more than the listener takes at once.
        let rest = String(repeating: get + "\r\n", count: 30) + get + "connection: close\r\n\r\n" + get + "\r\n"
        connection.send("\(get)content-length: 5\r\n\r\nhello" + rest)
        let answers = try #require(await connection.receiveAll())
        #expect(answers.split(separator: "HTTP/1.1 200 OK").count == 32)
        try await watched.stop()
    }

    @Test
    func whoSendsNothingMoreIsAnswered() async throws {
        let watched = try await ImaginedService().watched()
        let connection = try RawConnection(port: watched.port)
        connection.send(String(repeating: "GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n", count: 3))
        connection.endSending()
        let answers = try #require(await connection.receiveAll())
        #expect(answers.split(separator: "HTTP/1.1 200 OK").count == 3)
        try await watched.stop()
    }

    @Test
    func connectionsAreBounded() async throws {
        // Longer than a connection here waits for an answer: only who has to make room is ended.
        let watched = try await ImaginedService().watched(idle: 600, head: 600)
        let many = try await RawConnection.open(MonitoringListener.limits.connections + 20, port: watched.port)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(descriptors > many.count)
        // Two loops admit them, so the longest wait is not always that of the first one to connect. Nothing is asked
        // before all of them are admitted: a connection that is answered earlier makes room for another.
        try await until("twenty have ended", within: .seconds(100)) { many.count(where: \.hasEnded) >= 20 }
        let last = try #require(many.last)
        last.send("GET /health/live HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
        let answer = await last.receiveAll()
        #expect(answer?.contains("200 OK") == true)
        try await watched.stop()
    }

    @Test
    func itStopsWhileConnectionsAreOpen() async throws {
        let watched = try await ImaginedService().watched(idle: 3_600, head: 3_600)
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
}
