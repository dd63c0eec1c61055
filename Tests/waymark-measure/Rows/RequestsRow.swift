// SPDX-License-Identifier: Apache-2.0

import LoadTest
import ZeroMQ

/// The same loop twice: with the `ZeroMQ` library on both sides, and with plain calls of libzmq on both sides.
struct RequestsRow: TableRow {
    private static let bytes = 64

    func lines(_ run: TableRun) async throws -> [TableLine] {
        var lines: [TableLine] = []
        for (window, name) in [(1, "lock-step"), (128, "window 128")] {
            var rounds = Rounds()
            for round in run.rounds {
                run.tell("requests, \(name), round \(round)")
                try run.check()
                rounds.add(
                    try await Self.library(window, run.scale.seconds),
                    beside: try await Self.plain(window, run.scale.seconds))
            }
            lines.append(
                TableLine(
                    .requests, "requests of \(Self.bytes) bytes through the library, \(name)", .perSecond, rounds,
                    beside: "plain C calls", goal: .ratio(.atLeast, 0.9)))
        }
        return lines
    }

    private static func library(_ window: Int, _ seconds: Double) async throws -> Double {
        let context = try Context()
        let server = try EchoServer()
        let endpoint = try await server.start(context)
        let rate = try await LoadThread.run {
            let port = try BusRequestPort(
                try Context(), endpoint: endpoint, message: BusMessage(.fixed(bytes)), envelope: .echo)
            return try EchoLoop.run(port, window: window, seconds: seconds)
        }
        await server.stop()
        return rate
    }

    private static func plain(_ window: Int, _ seconds: Double) async throws -> Double {
        let server = try await BareEchoServer(requestBytes: bytes)
        let rate = try await LoadThread.run { [endpoint = server.endpoint] in
            let port = try BareRequestPort(Context(), endpoint: endpoint, size: bytes, most: bytes)
            return try EchoLoop.run(port, window: window, seconds: seconds)
        }
        try await LoadThread.run { server.stop() }
        return rate
    }
}

/// Keeps this many requests in flight and counts the answers; the loop does nothing else.
enum EchoLoop {
    /// - Returns: answers a second.
    static func run<Port: RequestPort>(_ port: Port, window: Int, seconds: Double) throws -> Double {
        var poller = Poller()
        port.join(&poller)
        // Waits until the connection is established.
        _ = try port.send(1, intended: 0)
        while try port.receive() == nil { _ = try poller.wait(.milliseconds(100)) }
        let begun = NanoClock.now
        let end = begun + UInt64(seconds * 1e9)
        var (number, answered): (UInt64, UInt64) = (0, 0)
        while true {
            while number - answered < UInt64(window), try port.send(number + 1, intended: begun) { number += 1 }
            var hasReceived = false
            while try port.receive() != nil {
                answered += 1
                hasReceived = true
            }
            let now = NanoClock.now
            if now >= end { return Double(answered) * 1e9 / Double(now - begun) }
            if !hasReceived { _ = try poller.wait(.milliseconds(100)) }
        }
    }
}
