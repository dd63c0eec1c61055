// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkClient
import WaymarkProtocol

/// Measures the time from a write to a filtered subscriber, one write at a time, and the cost of its parts without
/// Waymark.
final class ReceiptTimes {
    /// The times of one round in microseconds.
    struct Round {
        var bareBus = Sample()
        var bareDisk = Sample()
        var bareBoth = Sample()
        /// With plain sockets, without the client's threads and tasks.
        var heard = Sample()
        var acknowledged = Sample()
        var told = Sample()
    }

    private let writer: WaymarkClient
    private let reader: WaymarkClient
    private var feed: ChangeSequence.AsyncIterator
    private let draft: LandmarkDraft
    private let bus: BareBus
    private let disk: BareDisk
    private let plain: PlainPath
    /// A change and its landmark in encoded form.
    let payload: [UInt8]
    private let record: [UInt8]

    /// Returns when the feed has begun.
    init(_ services: Services) async throws {
        let (writer, reader) = (try await services.client(), try await services.client())
        (self.writer, self.reader) = (writer, reader)
        let harbour = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        let filter = FeedFilter(area: try .circle(at: harbour, radius: 2_000))
        var feed = reader.changes(matching: filter).makeAsyncIterator()
        let draft = try LandmarkDraft(name: "Sydney Opera House", coordinate: harbour, kind: "theatre")
        self.draft = draft
        // The feed has begun when it delivers something.
        let first = Task {
            while !Task.isCancelled {
                _ = try await writer.add(draft)
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        guard let example = try await feed.next() else { throw ServicesError(description: "the feed has ended") }
        first.cancel()
        _ = try? await first.value
        let position = try await writer.hello().position
        var reached = example.position.rev
        while reached < position.rev, let next = try await feed.next() { reached = next.position.rev }
        self.feed = feed
        payload = example.change.encoded
        record = try WireLandmark(example.change.landmark).serializedBytes()
        bus = BareBus()
        disk = BareDisk(path: services.directory + "/bare.sqlite")
        // A place outside the subscriber's area.
        let mountain = try LandmarkDraft(
            name: "Table Mountain Top", coordinate: try Coordinate(latitude: -33.9628, longitude: 18.4098),
            kind: "theatre")
        let there = FeedFilter(area: try .circle(at: mountain.coordinate, radius: 2_000))
        plain = try PlainPath(
            commands: services.commands, changes: "tcp://127.0.0.1:\(services.changesPort)",
            topic: FeedTopic(carrying: there), draft: mountain)
    }

    /// Measures this many of each kind, first those without Waymark.
    func round(writes: Int) async throws -> Round {
        var round = Round()
        for _ in 0..<writes {
            let (one, other) = (disk.commit(record: record, payload: payload), bus.send(payload))
            round.bareDisk.add(one)
            round.bareBus.add(other)
            round.bareBoth.add(one + other)
        }
        for _ in 0..<writes { round.heard.add(plain.write()) }
        let (writer, draft) = (writer, draft)
        for _ in 0..<writes {
            let begun = ContinuousClock.now
            async let written = writer.add(draft)
            guard try await feed.next() != nil else { throw ServicesError(description: "the feed has ended") }
            round.told.add(ContinuousClock.now - begun)
            _ = try await written
            round.acknowledged.add(ContinuousClock.now - begun)
        }
        return round
    }

    func close() async {
        plain.close()
        bus.close()
        disk.close()
        await writer.close()
        await reader.close()
    }
}
