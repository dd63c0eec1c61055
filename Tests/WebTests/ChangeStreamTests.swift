// SPDX-License-Identifier: Apache-2.0

import Geodesy
import HTTPTypes
import HummingbirdCore
import NIOCore
import TestTurns
import Testing
import WaymarkClient

@testable import Web

/// What a stream writes, without sockets.
@Suite(.inTurn)
struct ChangeStreamTests {
    private struct Enough: Error {}

    /// Keeps what was written, until it has some number of events.
    private final class Writer: ResponseBodyWriter {
        private(set) var writes: [String] = []
        private var left: Int

        init(events: Int) { left = events }

        func write(_ buffer: ByteBuffer) throws {
            writes.append(String(buffer: buffer))
            left -= writes[writes.count - 1].matches(of: /\nevent: added\n|^event: added\n/).count
            if left <= 0 { throw Enough() }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) {}
    }

    @Test("a page of the log is written in small pieces, each change once")
    func pagesOfTheLog() async throws {
        try await withStage { stage, client in
            let (count, note) = (100, String(repeating: "n", count: 4_000))
            for number in 0..<count {
                let here = try Coordinate(latitude: Double(number % 80), longitude: 10)
                _ = try await client.add(try LandmarkDraft(name: "L", coordinate: here), note: note)
            }
            // Nobody follows the feed for this hub, so its ring is empty.
            let hub = ChangeHub(stage.options, stage.metrics)
            var start = try await client.hello().position
            (start.rev, start.run) = (0, nil)
            let stream = ChangeStream(
                hub: hub, client: client, network: nil, filter: .everything, start: start, isWelcome: { true })
            let written = Writer(events: count)
            var writer: any ResponseBodyWriter = written
            await #expect(throws: Enough.self) { try await stream.write(to: &writer) }
            let events = written.writes.joined().matches(of: /event: added\nid: \S+-([0-9]+)\n/)
            let ids = events.compactMap { UInt64($0.1) }
            #expect(ids == Array(1...UInt64(count)))
            #expect(written.writes.allSatisfy { $0.utf8.count < 16_384 + 5_000 })
        }
    }
}
