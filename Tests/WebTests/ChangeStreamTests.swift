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

    /// Keeps what was written, until it is enough.
    private final class Writer: ResponseBodyWriter {
        private(set) var writes: [String] = []
        private let isEnough: (String) async throws -> Bool

        /// - Parameter isEnough: called after each write, with everything that was written.
        init(isEnough: @escaping (String) async throws -> Bool) { self.isEnough = isEnough }

        func write(_ buffer: ByteBuffer) async throws {
            writes.append(String(buffer: buffer))
            if try await isEnough(writes.joined()) { throw Enough() }
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
            let written = Writer { $0.matches(of: /event: added\n/).count >= count }
            var writer: any ResponseBodyWriter = written
            await #expect(throws: Enough.self) { try await stream.write(to: &writer) }
            let events = written.writes.joined().matches(of: /event: added\nid: \S+-([0-9]+)\n/)
            let ids = events.compactMap { UInt64($0.1) }
            #expect(ids == Array(1...UInt64(count)))
            #expect(written.writes.allSatisfy { $0.utf8.count < 16_384 + 5_000 })
        }
    }

    @Test("where the changes in memory are behind, a link's reader is told none that the first event reflects")
    func linkBehind() async throws {
        try await withStage { stage, client in
            func place(_ degrees: Double) throws -> Coordinate { try Coordinate(latitude: degrees, longitude: 0) }
            let added = try await client.add(try LandmarkDraft(name: "Boat", coordinate: place(0)))
            let boat = added.id
            // A greeting does not wait for this client's last write.
            try await until { try await client.hello().position.rev == added.rev }
            let hub = ChangeHub(stage.options, stage.metrics)
            let start = try await client.hello().position
            hub.begin(at: start)
            for degrees in [1.5, 2.5] { _ = try await client.move(boat, to: place(degrees)) }
            let link = try await self.link(.landmark(boat), client)
            let context = WebContext(
                client: client, hub: hub, links: LinkDesk(hub, client), options: stage.options,
                gate: WebGate(access: nil))
            let written = Writer { text in
                // The changes in memory catch up after the first event.
                if text.contains("event: shared"), hub.head?.rev == start.rev {
                    _ = try await client.move(boat, to: place(3.5))
                    var all: [FeedChange] = []
                    try await until {
                        all = try await client.changes(after: start).changes
                        return all.count == 3
                    }
                    for change in all { hub.handle(.change(change)) }
                }
                return text.contains(#""lat":3.5"#)
            }
            var writer: any ResponseBodyWriter = written
            await #expect(throws: Enough.self) { try await link.stream(to: &writer, from: nil, context) }
            let told = written.writes.joined().matches(of: /event: (shared|changed)\n|"lat":([0-9.]+)/).map(\.output.0)
            #expect(told == ["event: shared\n", #""lat":2.5"#, "event: changed\n", #""lat":3.5"#])
        }
    }

    @Test("a link's first event knows up to which revision it reflects the changes")
    func linkRevision() async throws {
        try await withStage { _, client in
            let place = try Coordinate(latitude: 1, longitude: 1)
            let boat = try await client.add(try LandmarkDraft(name: "Boat", coordinate: place)).id
            let rev = try await client.move(boat, to: place).rev
            let other = try await client.add(try LandmarkDraft(name: "Other", coordinate: place)).rev
            let area = Area.circle(place, radius: 10)
            #expect(try await link(.landmark(boat), client).view(client).rev == rev)
            #expect(try await link(.area(FeedFilter(area: area)), client).view(client).rev == other)
        }
    }

    private func link(_ target: Grant.Target, _ client: WaymarkClient) async throws -> SharedLink {
        let token = GrantToken()
        _ = try await client.grants.add(token, .see, target)
        let digest = try #require(token.digest)
        return try #require(try await SharedLink.find(digest, client))
    }
}
