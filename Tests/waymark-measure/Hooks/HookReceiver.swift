// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import WebServer
import ZeroMQ

/// A receiver of hooks in this process. `POST /N` is answered at once, `POST /hang` never.
final class HookReceiver: Sendable {
    /// Events at one path.
    struct Tally: Sendable {
        var events = 0
        var first = ContinuousClock.now
        var last = ContinuousClock.now

        /// Events a second after the first message.
        var rate: Double { Double(events) / max(1e-9, (last - first) / .seconds(1)) }
    }

    private struct State: Sendable {
        var tallies: [String: Tally] = [:]
        var delays = Sample()
    }

    private static let mostBytes = 1 << 24
    private static let never = Duration.seconds(86_400)

    let port: UInt16
    private let state: Locked<State>
    private let task: Task<Void, any Error>

    init() throws {
        let (port, state) = (try Ports.free(), Locked(State()))
        (self.port, self.state) = (port, state)
        let listener = HTTPListener(
            ListenAddress(host: "127.0.0.1", port: port), setting: "port",
            limits: HTTPLimits(connections: 4_096, queue: 1_024), logger: Logger(label: "waymark-measure"),
            respond: { request, _ in await Self.answer(request, state) })
        task = Task { try await listener.run() }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    func tally(_ path: String) -> Tally { state.withLock { $0.tallies[path] ?? Tally() } }

    /// How many paths have received something, and the events of all of them.
    var all: (paths: Int, events: Int) {
        state.withLock { ($0.tallies.count, $0.tallies.values.reduce(0) { $0 + $1.events }) }
    }

    /// Returns and forgets the times from changes to their receipt.
    func takeDelays() -> Sample {
        state.withLock { state in
            defer { state.delays = Sample() }
            return state.delays
        }
    }

    func end() { task.cancel() }

    private static func answer(_ request: Request, _ state: Locked<State>) async -> Response {
        let path = String(request.uri.path.dropFirst())
        guard let body = try? await request.body.collect(upTo: mostBytes),
            let id = request.headers.first(where: { $0.name.canonicalName == "webhook-id" })?.value
        else { return Response(status: .badRequest) }
        if path == "hang" {
            try? await Task.sleep(for: never)
            return Response(status: .serviceUnavailable)
        }
        // EPOCH-REV, or EPOCH-FIRST-LAST for a batch, whose revisions follow each other if nothing is filtered.
        let revs = id.split(separator: "-").dropFirst(5).compactMap { Int($0) }
        let events = (revs.last ?? 0) - (revs.first ?? 1) + 1
        let late = revs.count == 1 ? delay(Data(body.readableBytesView)) : nil
        state.withLock { state in
            let now = ContinuousClock.now
            state.tallies[path, default: Tally(events: 0, first: now, last: now)].events += events
            state.tallies[path]?.last = now
            if let late { state.delays.add(.seconds(late)) }
        }
        return Response(status: .noContent)
    }

    /// Seconds since the time of the change, which storage notes before it commits.
    private static func delay(_ body: Data) -> Double? {
        let event = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
        guard let text = event?["time"] as? String,
            let time = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
        else { return nil }
        return Date.now.timeIntervalSince(time)
    }
}
